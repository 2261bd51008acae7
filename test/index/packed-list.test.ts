/** A list of names comes out of its thread as it went in, whatever the names are. */
import { expect, it } from "vitest";
import type { ListedAnswer } from "../../src/index/ask.ts";
import { packed, unpacked } from "../../src/index/packed-list.ts";
import type { Entry } from "../../src/model/match.ts";

const answer = (...entries: Entry[]): ListedAnswer => ({
  kind: "able",
  entries,
  total: 7,
  denied: 2,
  generation: 3,
  faults: [],
});
const file: Entry = { path: "d/é\n.c", kind: "file", mtimeMs: 1.5 };
const folder: Entry = { path: "d", kind: "folder", mtimeMs: 0 };

it.each<[string, ListedAnswer]>([
  ["files and folders", answer(file, folder, file)],
  ["nothing", answer()],
  ["a name of other bytes", answer(file, { ...file, pathBytes: "ZP8=" })],
  ["a refusal", { kind: "unable", why: "not now" }],
])("%s come out of the thread as they went in", (_, given) => {
  expect(unpacked(structuredClone(packed(given)))).toEqual(given);
});

it("Paths pass as one text", () => {
  expect(packed(answer(file, folder))).toMatchObject({ kind: "packed", paths: "d/é\n.c\0d" });
});
