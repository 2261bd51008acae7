/**
 * What a glob says of the last name of a path, as plain texts: what the name begins with, ends in and holds. Most globs
 * say nothing else, so that no regex is needed for them; of the others it tells which names need not be looked at.
 * Asked by `glob-quick.ts`, and by the index for all names of a tree at once.
 */
import { classAt } from "./glob-class.ts";
import { nameGlob } from "./glob-name.ts";
import { toBytes } from "./glob-regex.ts";

/** Texts of which each stands behind the one before it, in bytes. */
export interface NameShape {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
  /** `start` is all of the name. */
  readonly whole: boolean;
}

export interface NameShapes {
  /** Of these, every name has one. */
  readonly any: readonly NameShape[];
  /**
   * `all`: every path whose name has one is matched. `folder`: of those in one folder all are, or none, so that the
   * folder decides. `nothing`: some may be.
   */
  readonly sure: "all" | "folder" | "nothing";
}

/** A row of texts with something between them; `exact`: whatever it is. */
interface Row {
  readonly texts: readonly string[];
  readonly exact: boolean;
}

/** More shapes take longer to look for than a regex, and members of a class are as many: the digits, at most. */
const MOST_SHAPES = 16;
/** Of several globs: file types have dozens. */
const MOST_OF_ANY = 64;
const MOST_MEMBERS = 10;

const EVERY_NAME: NameShape = { start: "", middle: "", end: "", whole: false };
/** Any number of folders, and what is behind them. */
const FOLDERS = /^\/?(?:\*\*\/)+/;
const EVERYTHING = /^\/?(?:\*\*\/)*\*\*$/;

/** null: nothing is known of the name. */
export function nameShapes(glob: string): NameShapes | null {
  if (EVERYTHING.test(glob)) return { any: [EVERY_NAME], sure: "all" };
  const folders = FOLDERS.exec(glob)?.[0] ?? "";
  // A star alone is a name like any other, but for `nameGlob` it says nothing.
  const name = glob === `${folders}*` ? "*" : nameGlob(glob);
  const rows = name === null ? null : rowsOf(Array.from(name));
  if (rows === null) return null;
  return {
    any: rows.map(shapeOf),
    sure: !rows.every(isShape) ? "nothing" : glob.slice(folders.length).includes("/") ? "folder" : "all",
  };
}

/** Those of several globs, of which one must match. */
export function shapesOfAny(globs: readonly string[]): NameShapes | null {
  const each = globs.map(nameShapes);
  const known = each.filter((shapes) => shapes !== null);
  if (known.length < each.length) return null;
  const any = known.flatMap((shapes) => shapes.any);
  if (any.length > MOST_OF_ANY) return null;
  const [first] = known;
  // One that matches in a folder says nothing of another there.
  if (known.length === 1 && first !== undefined) return first;
  return { any, sure: known.every(({ sure }) => sure === "all") ? "all" : "nothing" };
}

export function saysNothing({ any }: NameShapes): boolean {
  return any.some(({ start, middle, end, whole }) => !whole && start + middle + end === "");
}

/** Whether the name from `from` to `to` in a text is of the shape. */
export function hasShape(
  text: string,
  from: number,
  to: number,
  { start, middle, end, whole }: NameShape,
): boolean {
  const length = to - from;
  if (whole) return length === start.length && text.startsWith(start, from);
  if (length < start.length + middle.length + end.length) return false;
  if (!text.startsWith(start, from) || !text.endsWith(end, to)) return false;
  return middle === "" || text.slice(from + start.length, to - end.length).includes(middle);
}

function shapeOf({ texts }: Row): NameShape {
  const [start = "", ...rest] = texts;
  const end = rest.pop();
  if (end === undefined) return { start, middle: "", end: "", whole: true };
  const middle = rest.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
  return { start, middle, end, whole: false };
}

function isShape({ texts, exact }: Row): boolean {
  return exact && texts.slice(1, -1).filter((text) => text !== "").length < 2;
}

/** The rows that a name's glob stands for; null: too many, or too intricate. */
function rowsOf(chars: readonly string[]): readonly Row[] | null {
  let rows: readonly Row[] = [{ texts: [""], exact: true }];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "*" || char === "?") {
      rows = opened(rows, char === "*");
    } else if (char === "[") {
      const found = classAt(chars, at);
      if (found === null) return null;
      const members = found.negated ? null : membersOf(found.ranges);
      rows = members === null ? opened(rows, false) : branched(rows, members);
      at = found.end;
    } else if (char === "{") {
      const end = chars.indexOf("}", at);
      const branches = chars.slice(at + 1, Math.max(end, at)).join("");
      if (!BRANCHES.test(branches)) return null;
      rows = branched(rows, branches.split(","));
      at = end;
    } else {
      if (char === "\\") at += 1;
      rows = branched(rows, [toBytes(chars[at] ?? "")]);
    }
    if (rows.length > MOST_SHAPES) return null;
  }
  return rows;
}

const BRANCHES = /^[\w.+-]+(?:,[\w.+-]+)*$/;

function opened(rows: readonly Row[], byAnything: boolean): readonly Row[] {
  return rows.map(({ texts, exact }) => ({ texts: [...texts, ""], exact: exact && byAnything }));
}

function branched(rows: readonly Row[], branches: readonly string[]): readonly Row[] {
  return rows.flatMap(({ texts, exact }) =>
    branches.map((branch) => ({
      texts: [...texts.slice(0, -1), `${texts.at(-1) ?? ""}${branch}`],
      exact,
    })),
  );
}

/** null: too many, or letters of several bytes. */
function membersOf(ranges: readonly (readonly [from: string, to: string])[]): readonly string[] | null {
  const members = new Set<string>();
  for (const [from, to] of ranges) {
    if (!/^\w\w$/.test(from + to)) return null;
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) {
      members.add(String.fromCharCode(code));
      if (members.size > MOST_MEMBERS) return null;
    }
  }
  return [...members];
}
