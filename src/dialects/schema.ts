/**
 * JSON schemas of values whose TypeScript types are known: the compiler holds a schema to its type, so that a field
 * that is new, gone, or of another kind does not compile until the schema says so too. Used by `outputs.ts`.
 */

declare const OF: unique symbol;

/** Of exactly the values of T. At run time it is the JSON schema itself. */
export type Schema<T> = Readonly<Record<string, unknown>> & { readonly [OF]?: (value: T) => T };

type Optional<T, K extends keyof T> = Partial<Pick<T, K>> extends Pick<T, K> ? K : never;

/** Fields that are always there. */
export type Needed<T> = {
  readonly [K in keyof T as K extends Optional<T, K> ? never : K]-?: Schema<T[K]>;
};

/** Fields that may be missing. */
type Perhaps<T> = {
  readonly [K in keyof T as Optional<T, K>]-?: Schema<Exclude<T[K], undefined>>;
};

export const TEXT: Schema<string> = { type: "string" };
export const WHOLE: Schema<number> = { type: "integer" };
export const TRUTH: Schema<boolean> = { type: "boolean" };
export const NULL: Schema<null> = { type: "null" };

/** One of these words. */
export function choice<const T extends string>(...words: readonly T[]): Schema<T> {
  return { type: "string", enum: words };
}

/** One of many words, to which others may come: they are not told one by one. */
export function word<T extends string>(): Schema<T> {
  return { type: "string" };
}

export function list<T>(of: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items: of };
}

export function either<A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> {
  return { anyOf: [one, other] };
}

export function orNull<T>(of: Schema<T>): Schema<T | null> {
  return either(of, NULL);
}

/** These fields and no others. */
export function fields<T>(
  needed: Needed<T>,
  ...[perhaps]: keyof Perhaps<T> extends never ? [] : [Perhaps<T>]
): Schema<T> {
  return {
    type: "object",
    properties: { ...needed, ...perhaps },
    required: Object.keys(needed),
    additionalProperties: false,
  };
}
