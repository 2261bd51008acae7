import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { grouped } from "../../src/format/count.ts";
import {
  INDEX_CACHE_BYTES,
  INDEX_FROM_FILES,
  INDEX_MAX_FILES,
  LINKED_FILES,
} from "../../src/model/limits.ts";

/** What docs/index.md says of limits is what they are. */

test.each([
  [`once a search has met ${grouped(INDEX_FROM_FILES)} files`],
  [`trees of more than ${grouped(INDEX_MAX_FILES)} files`],
  [`Where more than ${grouped(LINKED_FILES)} files of a tree have several names (hard links)`],
  [`All trees together take ${INDEX_CACHE_BYTES / 1024 ** 3} GiB at most`],
])("The page of the index says: %s", (said) => {
  expect(readFileSync(new URL("../../docs/index.md", import.meta.url), "utf8")).toContain(said);
});
