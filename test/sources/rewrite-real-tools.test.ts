import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rewriteArchive } from "../../src/sources/rewrite-archive.ts";
import type { ArchiveFormat } from "../../src/sources/format.ts";

/** Is the tool here? The suite needs Node only. */
function has(tool: string, ...args: string[]): boolean {
  try {
    execFileSync(tool, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const LONG = `${"long-name/".repeat(15)}end.txt`;
const NEW = `${"new/".repeat(60)}\u00fc.txt`;
const WRITTEN = ["run.sh", LONG, NEW];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-rewrite-"));
  const tree = join(folder, "tree");
  await mkdir(join(tree, LONG, ".."), { recursive: true });
  await mkdir(join(tree, "src"));
  await writeFile(join(tree, "run.sh"), "#!/bin/sh\n");
  await chmod(join(tree, "run.sh"), 0o755);
  await writeFile(join(tree, "src", "\u00fc.ts"), "\u00fc\n");
  await writeFile(join(tree, LONG), "long\n");
  await writeFile(join(tree, "large.txt"), "a line of a large file\n".repeat(50_000));
  await writeFile(join(tree, "holes"), "");
  await truncate(join(tree, "holes"), 1024 * 1024);
  await symlink("run.sh", join(tree, "link"));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a tool in the tree; the archive it makes is `../name`. */
async function make(tool: string, args: readonly string[], name: string): Promise<Buffer> {
  execFileSync(tool, args, { cwd: join(folder, "tree"), stdio: "ignore" });
  return readFile(join(folder, name));
}

/** One entry replaced, one with a long name replaced, one added; put beside the archive for the tool to look at. */
async function rewritten(bytes: Buffer, format: ArchiveFormat, name: string): Promise<string> {
  let result = bytes;
  for (const entry of WRITTEN)
    result = await rewriteArchive(result, format, entry, Buffer.from(`${entry} written\n`), name);
  const path = join(folder, `rewritten-${name}`);
  await writeFile(path, result);
  return path;
}

/** How what the tool unpacks differs from the tree that was packed. */
async function unpacked(tool: string, args: readonly string[]): Promise<unknown> {
  const out = await mkdtemp(join(folder, "out-"));
  execFileSync(tool, args, { cwd: out, stdio: "ignore" });
  const diff = ["-r", "-q", "--no-dereference", join(folder, "tree"), out];
  const differences = spawnSync("diff", diff, { encoding: "utf8" }).stdout.replaceAll(folder, "").trim();
  const texts = [];
  for (const entry of WRITTEN) texts.push(String(await readFile(join(out, entry))));
  return {
    differences: differences.split("\n").length,
    texts,
    mode: (await stat(join(out, "run.sh"))).mode & 0o777,
  };
}

/** Two files have another text, one folder is new. */
const EXPECTED = { differences: 3, texts: WRITTEN.map((entry) => `${entry} written\n`), mode: 0o755 };

describe("archives of real tools, rewritten, are good to these tools", () => {
  it.runIf(has("zip", "-v") && has("unzip", "-v")).each([
    ["plain", "zip -rqy ../plain.zip ."],
    ["zip64", "zip -rqy -fz ../zip64.zip ."],
    ["described", "zip -rq - . -x link | cat > ../described.zip && zip -qy ../described.zip link"],
    [
      "selfextracting",
      "zip -rqy ../s.zip . && cat run.sh ../s.zip > ../selfextracting.zip && zip -qA ../selfextracting.zip",
    ],
  ])("zip, %s", async (kind, command) => {
    const bytes = await make("sh", ["-c", command], `${kind}.zip`);
    const path = await rewritten(bytes, "zip", `${kind}.zip`);
    execFileSync("unzip", ["-tq", path], { stdio: "ignore" });
    expect(await unpacked("unzip", ["-q", path])).toEqual(EXPECTED);
  });

  it.runIf(has("zip", "-v") && has("python3", "--version"))("zip, as Python reads it", async () => {
    const bytes = await make("zip", ["-r", "-q", "../python.zip", "."], "python.zip");
    const path = await rewritten(bytes, "zip", "python.zip");
    const answer = String(execFileSync("python3", ["-m", "zipfile", "-t", path]));
    expect(answer.trim()).toBe("Done testing");
  });

  it.runIf(has("tar", "--version")).each([
    ["ustar", ["--format=ustar"]],
    ["gnu", ["--format=gnu"]],
    ["pax", ["--format=pax"]],
    ["sparse gnu", ["--format=gnu", "-S"]],
    ["sparse pax", ["--format=pax", "-S"]],
  ])("tar, %s", async (_, options) => {
    const plain = await rewritten(
      await make("tar", ["-cf", "../t.tar", ...options, "."], "t.tar"),
      "tar",
      "t.tar",
    );
    expect(await unpacked("tar", ["-xf", plain])).toEqual(EXPECTED);
    const packed = await make("tar", ["-czf", "../t.tgz", ...options, "."], "t.tgz");
    expect(await unpacked("tar", ["-xzf", await rewritten(packed, "tar.gz", "t.tgz")])).toEqual(EXPECTED);
  });
});
