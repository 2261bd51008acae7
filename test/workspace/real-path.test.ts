/** Where a path leads, links resolved, also where there is nothing yet: as the system says it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patient, prompt } from "../../src/workspace/disk.ts";
import { resolveReal } from "../../src/workspace/real-path.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-real-path-")));
  mkdirSync(join(root, "folder/deep"), { recursive: true });
  writeFileSync(join(root, "file"), "");
  symlinkSync("folder/deep", join(root, "link"));
  symlinkSync("folder/nowhere", join(root, "dangling"));
  symlinkSync("../file", join(root, "folder/up"));
  symlinkSync("loop", join(root, "loop"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each([
  ["a patient disk", patient],
  ["a prompt disk", prompt],
])("where a path really leads by %s", (_, disk) => {
  it.each([
    ["file", "file", null],
    ["link", "folder/deep", null],
    ["folder/up", "file", null],
    ["*.c", "*.c", "ENOENT"],
    ["link/*.c", "folder/deep/*.c", "ENOENT"],
    ["link/../*.c", "folder/*.c", "ENOENT"],
    ["none/*.c", "none/*.c", "ENOENT"],
    ["link/none/*.c", "folder/deep/none/*.c", "ENOENT"],
    ["dangling", "folder/nowhere", "ENOENT"],
    ["dangling/a", "folder/nowhere/a", "ENOENT"],
    ["file/a", "file/a", "ENOTDIR"],
    ["folder/up/a", "file/a", "ENOTDIR"],
    ["loop", "loop", "ELOOP"],
  ])("%s is %s", async (path, real, fault) => {
    expect(await resolveReal(`${root}/${path}`, disk)).toEqual({ path: join(root, real), fault });
  });
});
