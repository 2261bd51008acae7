/** Damages a saved index in every way that a disk, a copy or a restored backup may, and asks it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Arbitrary, constantFrom, integer, record } from "fast-check";
import { INDEX_PAGE } from "../../src/model/limits.ts";
import { indexed } from "./indexed.ts";
import { isIndexed } from "./question.ts";
import { answersOf, faultsOf, laid, type SavedGround, saidOf, segmentsIn } from "./saved-ground.ts";

export interface Damage {
  readonly kind: (typeof KINDS)[number];
  /** Which file, and where in it, of all and of its length. */
  readonly file: number;
  readonly at: number;
  readonly bits: number;
}

const KINDS = [
  "flip",
  "cut",
  "zero",
  "grow",
  "swap pages",
  "swap segments",
  "segment of another tree",
  "segment is gone",
  "old manifest",
  "old segment",
  "manifest of another tree",
] as const;

/** Not a double, most of which are nearly nothing. */
const part = integer({ min: 0, max: 999_999 }).map((millionths) => millionths / 1_000_000);
export const damage: Arbitrary<Damage> = record({
  kind: constantFrom(...KINDS),
  file: part,
  at: part,
  bits: integer({ min: 1, max: 255 }),
});

export interface Tried {
  /** What was said at first, and when it had been healed. */
  readonly said: ReturnType<typeof answersOf>;
  readonly healed: ReturnType<typeof answersOf>;
  /** The index could answer then. */
  readonly able: boolean;
  readonly faults: readonly string[];
  /** It was seen by a question, or by the segment that was left out. */
  readonly noticed: boolean;
}

export async function tried(ground: SavedGround, damage: Damage): Promise<Tried> {
  const { root, folder, whole } = ground;
  laid(whole, folder);
  spoil(ground, damage);
  const before = segmentsIn(folder).join();
  const index = await indexed(root, {}, folder);
  try {
    const said = await saidOf(index, ground, ground.questions);
    await index.keeper.settled();
    const healed = await saidOf(index, ground, ground.questions.slice(0, 1));
    await index.close();
    const noticed = !said.every(isIndexed) || segmentsIn(folder).join() !== before;
    return {
      said: answersOf(said),
      healed: answersOf(healed),
      able: healed.every(isIndexed),
      faults: faultsOf(folder, root),
      noticed,
    };
  } finally {
    await index.close();
  }
}

function spoil({ folder, early, other }: SavedGround, { kind, file, at, bits }: Damage): void {
  const segments = segmentsIn(folder);
  const chosen = (names: readonly string[]): string =>
    join(folder, names[Math.floor(file * names.length)] ?? "");
  const segment = chosen(segments);
  switch (kind) {
    case "flip":
    case "cut":
    case "zero":
    case "grow": {
      // The manifest too.
      const path = chosen([...segments, "manifest"]);
      return writeFileSync(path, bytesWith(readFileSync(path), { kind, at, bits }));
    }
    case "swap pages":
      return writeFileSync(segment, swapped(readFileSync(segment), at, bits));
    case "swap segments":
      return segments.forEach((name, place) => {
        const from = join(folder, segments[(place + 1) % segments.length] ?? "");
        cpSync(from, join(folder, `${name}.moved`));
        cpSync(join(folder, `${name}.moved`), join(folder, name));
      });
    case "segment of another tree":
      return cpSync(join(other, segmentsIn(other)[0] ?? ""), segment);
    case "segment is gone":
      return rmSync(segment);
    case "old manifest":
      return cpSync(join(early, "manifest"), join(folder, "manifest"));
    case "old segment":
      return cpSync(join(early, segmentsIn(early)[0] ?? ""), segment);
    case "manifest of another tree":
      return cpSync(join(other, "manifest"), join(folder, "manifest"));
    default:
      kind satisfies never;
  }
}

function bytesWith(
  bytes: Buffer,
  {
    kind,
    at,
    bits,
  }: { readonly kind: "flip" | "cut" | "zero" | "grow"; readonly at: number; readonly bits: number },
): Buffer {
  const place = Math.floor(at * bytes.length);
  if (kind === "cut") return bytes.subarray(0, place);
  if (kind === "grow") return Buffer.concat([bytes, Buffer.alloc(bits, bits)]);
  if (kind === "zero") return bytes.fill(0, place, Math.min(bytes.length, place + bits * 8));
  bytes[place] = (bytes[place] ?? 0) ^ bits;
  return bytes;
}

/** Two pages change places. */
function swapped(bytes: Buffer, at: number, other: number): Buffer {
  const pages = Math.floor(bytes.length / INDEX_PAGE);
  const [one, two] = [Math.floor(at * pages), other % Math.max(1, pages)];
  const page = (number: number): Buffer => bytes.subarray(number * INDEX_PAGE, (number + 1) * INDEX_PAGE);
  const kept = Buffer.from(page(one));
  page(two).copy(page(one));
  kept.copy(page(two));
  return bytes;
}
