/** What is an id of JSON-RPC here, over every transport. */

export type Id = string | number;

/** Whether it is a request by its looks. */
export function hasId(raw: unknown): raw is { readonly id: unknown } {
  return typeof raw === "object" && raw !== null && "id" in raw && raw.id !== undefined;
}

/** null: it has none that could be answered. */
export function idOf(raw: unknown): Id | null {
  const id = hasId(raw) ? raw.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : null;
}

/** A request that would be taken for a notification, and never be answered. */
export function hasWrongId(raw: unknown): boolean {
  return hasId(raw) && "method" in raw && idOf(raw) === null;
}

export const WRONG_ID = "An id is a string or a whole number";
