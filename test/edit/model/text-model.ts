/**
 * The plain model that edits are held against: a file is rows of text with their ends, and every row has a number of
 * its own that it keeps wherever it comes to stand. It knows nothing of bytes until it is asked for them, and shares
 * no code with what it judges.
 */

export type Encoding = "utf-8" | "utf-8 mark" | "utf-16le" | "utf-16be" | "single-byte";
export type End = "\n" | "\r\n" | "";

export interface Row {
  /** Which row it is, however equal it looks to others. */
  readonly id: number;
  readonly text: string;
  /** Empty only in the last row, and only if that has text. */
  readonly end: End;
}

export interface TextFile {
  readonly rows: readonly Row[];
  readonly encoding: Encoding;
}

let ids = 0;

/** `\r` before `\n` belongs to the end of a row. */
export function row(text: string, end: End, id: number = ++ids): Row {
  return end === "\n" && text.endsWith("\r")
    ? { id, text: text.slice(0, -1), end: "\r\n" }
    : { id, text, end };
}

export function bytesOf({ rows, encoding }: TextFile): Buffer {
  const text = rows.map(({ text, end }) => text + end).join("");
  if (encoding === "single-byte") return Buffer.from(text, "latin1");
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-8 mark") return Buffer.from(`\ufeff${text}`);
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  return encoding === "utf-16le" ? wide : wide.swap16();
}

/** As somebody sees it who does not know a single-byte encoding, nor half a character. */
export function seen({ text }: Row, encoding: Encoding): string {
  return encoding === "single-byte"
    ? Buffer.from(text, "latin1").toString("utf8")
    : text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** A file of ASCII alone has no encoding that could be told from UTF-8. */
export function told({ rows, encoding }: TextFile): Encoding {
  return encoding === "single-byte" && rows.every(({ text }) => isAscii(text)) ? "utf-8" : encoding;
}

/** What is put where: rows of `file` by their ids. */
export interface Change {
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly before: ReadonlyMap<number, readonly string[]>;
  readonly after: ReadonlyMap<number, readonly string[]>;
  /** Rows that go, and what takes the place of the first of each. */
  readonly replaced: readonly { readonly ids: readonly number[]; readonly body: readonly string[] }[];
}

/** A row while its end is not settled. */
interface Draft {
  readonly id: number | null;
  readonly text: string;
  end: End;
}

/**
 * A row that is put in ends as the row whose place it takes, or the one above it; a file that did not end in a newline
 * still does not, unless its last row is blank and would be none without one.
 */
export function changed(file: TextFile, change: Change): TextFile {
  const { rows } = file;
  const drafts: Draft[] = [];
  const put = (body: readonly string[], like: (index: number) => number): void => {
    const last = drafts.at(-1);
    if (last !== undefined && last.end === "" && body.length > 0) last.end = endNear(rows, like(0));
    for (const [index, text] of body.entries()) {
      drafts.push({ id: null, text, end: endNear(rows, like(index)) });
    }
  };
  put(change.head, () => -1);
  const gone = new Set(change.replaced.flatMap(({ ids }) => ids));
  for (const [at, { id, text, end }] of rows.entries()) {
    put(change.before.get(id) ?? [], () => at - 1);
    const own = change.replaced.find(({ ids }) => ids[0] === id);
    if (own !== undefined) put(own.body, (index) => at + Math.min(index, own.ids.length - 1));
    if (!gone.has(id)) drafts.push({ id, text, end });
    put(change.after.get(id) ?? [], () => at);
  }
  put(change.tail, () => rows.length - 1);
  const last = drafts.at(-1);
  if (rows.at(-1)?.end === "" && last !== undefined) last.end = last.text === "" ? last.end : "";
  return {
    rows: drafts.map(({ id, text, end }) => (id === null ? row(text, end) : row(text, end, id))),
    encoding: told(file),
  };
}

function endNear(rows: readonly Row[], at: number): End {
  const near = [at, at - 1, at + 1, 0].map((index) => rows[index]?.end ?? "");
  return near.find((end) => end !== "") ?? "\n";
}
