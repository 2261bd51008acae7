/** What the laws of rewriting look at: a zip's records as they are written, found without the code under test. */

export interface RawRecord {
  readonly name: string;
  readonly listed: string;
  readonly local: string;
}

/** A zip's records as they are written: the directory's without its offset, and what starts at that offset. */
export function zipRecords(bytes: Buffer): RawRecord[] {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const locator = bytes.readUInt32LE(Math.max(0, end - 20)) === 0x07064b50 ? end - 20 : null;
  const end64 = locator === null ? null : Number(bytes.readBigUInt64LE(locator + 8));
  const directory = end64 === null ? bytes.readUInt32LE(end + 16) : Number(bytes.readBigUInt64LE(end64 + 48));
  const count = end64 === null ? bytes.readUInt16LE(end + 10) : Number(bytes.readBigUInt64LE(end64 + 32));
  const found: { name: string; listed: Buffer; start: number }[] = [];
  for (let at = directory; found.length < count; ) {
    const name = bytes.readUInt16LE(at + 28);
    const size = 46 + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const listed = Buffer.from(bytes.subarray(at, at + size));
    let start = listed.readUInt32LE(42);
    if (start === 0xffffffff) {
      start = Number(listed.readBigUInt64LE(46 + name + 20));
      listed.fill(0, 46 + name + 20, 46 + name + 28);
    } else listed.fill(0, 42, 46);
    found.push({ name: listed.toString("utf8", 46, 46 + name), listed, start });
    at += size;
  }
  const starts = [...found.map(({ start }) => start), directory].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, at) => [start, starts[at + 1] ?? directory]));
  return found.map(({ name, listed, start }) => ({
    name,
    listed: listed.toString("latin1"),
    local: bytes.toString("latin1", start, ends.get(start)),
  }));
}
