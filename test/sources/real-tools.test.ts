import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allTexts, withArchive } from "./build.ts";

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
const FILES: Readonly<Record<string, string>> = {
  "a.ts": "export const a = 1;\n",
  "src/ünï.ts": "ü\n",
  "src/with blank.txt": "blank\n",
  [LONG]: "long\n",
  "large.txt": "a line of a large file\n".repeat(50_000),
  empty: "",
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-tools-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, "tree", path, ".."), { recursive: true });
    await writeFile(join(folder, "tree", path), text);
  }
  await cp(join(folder, "tree"), join(folder, "linked"), { recursive: true });
  await symlink("/etc/passwd", join(folder, "linked", "link"));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a tool in a tree; the archive it makes is `../name`. */
async function make(tool: string, args: readonly string[], name: string, tree = "tree"): Promise<Buffer> {
  execFileSync(tool, args, { cwd: join(folder, tree), stdio: "ignore" });
  return readFile(join(folder, name));
}

const sorted = (texts: [string, string][]): [string, string][] => texts.sort(([a], [b]) => (a < b ? -1 : 1));
const EXPECTED = sorted(Object.entries(FILES));

const PYTHON_ZIP = `
import os, zipfile
with zipfile.ZipFile("../python.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for base, _, names in os.walk("."):
        for name in names:
            with open(os.path.join(base, name), "rb") as source, z.open(os.path.join(base, name)[2:], "w", force_zip64=True) as into:
                into.write(source.read())
`;
const python = (format: string): string => `
import tarfile
with tarfile.open("../python.${format}.tgz", "w:gz", format=tarfile.${format}) as t:
    t.add(".")
`;

describe("archives of real tools hold what went in", () => {
  it.runIf(has("zip", "-v"))("zip", async () => {
    const bytes = await make("zip", ["-r", "-q", "../z.zip", "."], "z.zip");
    expect(sorted(await withArchive(bytes, "zip", allTexts))).toEqual(EXPECTED);
  });

  it.runIf(has("zip", "-v"))("zip, to a pipe", async () => {
    const bytes = await make("sh", ["-c", "zip -q - a.ts large.txt | cat > ../s.zip"], "s.zip");
    expect(await withArchive(bytes, "zip", allTexts)).toEqual([
      ["a.ts", FILES["a.ts"]],
      ["large.txt", FILES["large.txt"]],
    ]);
  });

  it.runIf(has("zip", "-v"))("zip, with links kept, and with a password", async () => {
    const linked = await make("zip", ["-r", "-q", "-y", "../l.zip", "."], "l.zip", "linked");
    expect(sorted(await withArchive(linked, "zip", allTexts))).toEqual(
      sorted([...EXPECTED, ["link", "<link>"]]),
    );
    const secret = await make("zip", ["-q", "-P", "x", "../p.zip", "a.ts"], "p.zip");
    expect(await withArchive(secret, "zip", allTexts)).toEqual([["a.ts", "<encrypted>"]]);
  });

  it.runIf(has("tar", "--version")).each(["v7", "ustar", "gnu", "pax"])("tar --format=%s", async (kind) => {
    const paths = kind === "v7" ? ["a.ts", "src", "empty", "large.txt"] : ["."];
    const expected = EXPECTED.filter(([path]) => kind !== "v7" || path !== LONG);
    const plain = await make("tar", ["-cf", "../t.tar", `--format=${kind}`, ...paths], "t.tar");
    expect(sorted(await withArchive(plain, "tar", allTexts))).toEqual(expected);
    const packed = await make("tar", ["-czf", "../t.tgz", `--format=${kind}`, ...paths], "t.tgz", "linked");
    const withLink = kind === "v7" ? expected : sorted([...expected, ["link", "<link>"]]);
    expect(sorted(await withArchive(packed, "tar.gz", allTexts))).toEqual(withLink);
  });

  it.runIf(has("tar", "--version")).each(["gnu", "pax"])("tar --sparse --format=%s", async (kind) => {
    await writeFile(join(folder, "holes"), "");
    await truncate(join(folder, "holes"), 1024 * 1024);
    const args = ["-cf", "../h.tar", "-S", `--format=${kind}`, "-C", "..", "holes", "tree/a.ts"];
    expect(await withArchive(await make("tar", args, "h.tar"), "tar", allTexts)).toEqual([
      ["holes", "<unsupported>"],
      ["tree/a.ts", FILES["a.ts"]],
    ]);
  });

  it.runIf(has("python3", "--version"))("Python's zipfile, as zip64", async () => {
    const bytes = await make("python3", ["-c", PYTHON_ZIP], "python.zip");
    expect(sorted(await withArchive(bytes, "zip", allTexts))).toEqual(EXPECTED);
  });

  it.runIf(has("python3", "--version")).each(["USTAR_FORMAT", "GNU_FORMAT", "PAX_FORMAT"])(
    "Python's tarfile, %s",
    async (format) => {
      const bytes = await make("python3", ["-c", python(format)], `python.${format}.tgz`);
      expect(sorted(await withArchive(bytes, "tar.gz", allTexts))).toEqual(EXPECTED);
    },
  );
});
