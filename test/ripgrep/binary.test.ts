import { chmodSync, existsSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { binaryEnvironment, resolveBinary } from "../../src/ripgrep/binary.ts";
import { childEnvironment, programFolders } from "../../src/ripgrep/environment.ts";
import { searchIn } from "../support/query.ts";
import { rgPath, standIn, systemRipgrep } from "../support/ripgrep.ts";
import { runScript } from "../support/script.ts";
import { link, FOLDER, tree } from "../support/tree.ts";

const QUERIES = new URL("../support/query.ts", import.meta.url).href;

/** A folder with a program called `rg` that leaves a canary before it does its work. */
function planted(files: Readonly<Record<string, string>> = {}): { folder: string; canary: () => boolean } {
  const cage = tree();
  const folder = tree({ ...files, rg: `#!/bin/sh\n: > '${cage}/canary'\nexec '${rgPath}' "$@"\n` });
  chmodSync(join(folder, "rg"), 0o755);
  return { folder, canary: () => existsSync(join(cage, "canary")) };
}

describe("the ripgrep that runs", () => {
  it("is the bundled one, by its absolute path, where nothing else is asked for", async () => {
    const { folder } = planted();
    for (const word of [undefined, "", "1", "true", "yes", "on"]) {
      const env = { PATH: folder, ...(word === undefined ? {} : { USE_BUILTIN_RIPGREP: word }) };
      expect(await resolveBinary(env)).toEqual({ mode: "builtin", command: rgPath, path: rgPath });
    }
  });

  it("is the system's, by its name, where USE_BUILTIN_RIPGREP is a falsy word", async () => {
    const { folder } = planted();
    for (const word of ["0", "false", "no", "off", " FALSE "]) {
      const binary = await resolveBinary({ PATH: folder, USE_BUILTIN_RIPGREP: word });
      expect(binary).toEqual({ mode: "system", command: "rg", path: join(folder, "rg") });
    }
  });

  it("answers through the system's", async () => {
    const root = tree({ a: "needle\n" });
    const { folder, canary } = planted();
    const { matches } = await searchIn(systemRipgrep(folder), { root, pattern: "needle" });
    expect([matches.map(({ path }) => path), canary()]).toEqual([["a"], true]);
  });

  it("is the bundled one where PATH has none", async () => {
    const empty = tree();
    const notExecutable = tree({ rg: "#!/bin/sh\n" });
    const aFolder = tree({ rg: FOLDER });
    const PATH = [empty, notExecutable, aFolder].join(delimiter);
    expect((await resolveBinary({ PATH, USE_BUILTIN_RIPGREP: "0" })).mode).toBe("builtin");
    expect((await resolveBinary({ USE_BUILTIN_RIPGREP: "0" })).mode).toBe("builtin");
  });

  it("is decided once per process", async () => {
    const root = tree({ a: "needle\n" });
    const { folder, canary } = planted();
    const said = await runScript(
      `const first = await search({ root: ${JSON.stringify(root)}, pattern: "needle" }).collect();
       process.env.USE_BUILTIN_RIPGREP = "0";
       process.env.PATH = ${JSON.stringify(folder)};
       const second = await search({ root: ${JSON.stringify(root)}, pattern: "needle" }).collect();
       console.log(JSON.stringify([first.hits.length, second.hits.length]));`,
      { env: { USE_BUILTIN_RIPGREP: "1" } },
    );
    expect([said, canary()]).toEqual([[1, 1], false]);
  });
});

describe("a planted rg", () => {
  it("is not run from the working folder, nor through relative entries of PATH", async () => {
    const { folder, canary } = planted({ a: "needle\n" });
    const paths = ["", ".", ":", "::", "./", "bin:.", folder, `${folder}/`, `${folder}:.`];
    const said = await runScript(
      `const { searchIn } = await import(${JSON.stringify(QUERIES)});
       const answers = [];
       for (const PATH of ${JSON.stringify(paths)}) {
         const env = { USE_BUILTIN_RIPGREP: "0", PATH };
         const { matches } = await searchIn(env, { pattern: "needle", paths: "a" });
         answers.push(...matches.map(({ path }) => path));
       }
       console.log(JSON.stringify(answers));`,
      { cwd: folder },
    );
    expect([said, canary()]).toEqual([paths.map(() => "a"), false]);
  });

  it("is not run from the folder that is searched, be it alone on PATH", async () => {
    const { folder, canary } = planted({ a: "needle\n" });
    const alias = join(tree({ alias: link(folder) }), "alias");
    for (const PATH of [folder, `${folder}/.`, `.:${folder}`, alias]) {
      const env = { USE_BUILTIN_RIPGREP: "0", PATH };
      await searchIn(env, { root: folder, pattern: "needle", paths: "a" }).catch(() => {});
      expect([PATH, canary()]).toEqual([PATH, false]);
    }
  });

  it("is not run where it is first on PATH and nobody asked for the system's", async () => {
    const { folder, canary } = planted({ a: "needle\n" });
    const { matches } = await searchIn({ PATH: folder }, { root: folder, pattern: "needle" });
    expect([matches.length, canary()]).toEqual([1, false]);
  });
});

describe("the environment of ripgrep", () => {
  it("has what leads to the user's ignore file, and nothing else", () => {
    const env = {
      HOME: "/h",
      XDG_CONFIG_HOME: "/x",
      PATH: "/bin",
      RIPGREP_CONFIG_PATH: "/evil",
      LD_PRELOAD: "/evil.so",
      RUST_LOG: "trace",
      PWD: "/elsewhere",
    };
    expect(childEnvironment(env)).toEqual({ HOME: "/h", XDG_CONFIG_HOME: "/x" });
  });

  it("has a PATH only for the system's, of absolute folders, never empty", () => {
    const env = { PATH: "/a:.:/b::bin:/work", HOME: "/h" };
    const system = { mode: "system", command: "rg", path: "/a/rg" } as const;
    expect(binaryEnvironment(system, "/work", env)).toEqual({ HOME: "/h", PATH: "/a:/b" });
    expect(binaryEnvironment({ mode: "builtin", command: "/rg", path: "/rg" }, "/work", env)).toEqual({
      HOME: "/h",
    });
    // An empty PATH means the working folder to the system.
    expect(binaryEnvironment(system, "/work", { PATH: "/work" })["PATH"]).toMatch(/^\/(?!work)/);
  });

  it("looks for programs in the absolute folders of PATH, in its order", () => {
    expect(programFolders({ PATH: "/b:rel:/a:/w/:../x:" }, "/w")).toEqual(["/b", "/a"]);
  });

  it("does not lead to a configuration that runs a program", async () => {
    const cage = tree();
    const root = tree({
      a: "needle\n",
      "canary.sh": `#!/bin/sh\n: > '${cage}/canary'\ncat\n`,
      config: "--pre=./canary.sh\n--ignore-case\n--max-count=1\n",
      "home/.ripgreprc": "--pre=./canary.sh\n",
    });
    chmodSync(join(root, "canary.sh"), 0o755);
    const env = {
      RIPGREP_CONFIG_PATH: join(root, "config"),
      HOME: join(root, "home"),
      RIPGREP_CONFIG: join(root, "config"),
    };
    const { matches } = await searchIn(env, { root, pattern: "NEEDLE|needle", paths: ["a"] });
    const script = await runScript(
      `const { hits } = await search({ root: ${JSON.stringify(root)}, pattern: "needle", paths: "a" }).collect();
       console.log(hits.length);`,
      { env },
    );
    expect([matches.length, script, readdirSync(cage)]).toEqual([1, 1, []]);
  });

  it("keeps the user's own ignore file", async () => {
    const root = tree({ a: "needle\n", b: "needle\n" });
    const home = tree({ "config/git/ignore": "b\n" });
    symlinkSync(join(home, "config"), join(home, ".config"));
    const env = { HOME: home };
    const { matches } = await searchIn(env, { root, pattern: "needle", ignore: "everywhere" });
    expect(matches.map(({ path }) => path)).toEqual(["a"]);
  });
});

it("leaves a mark through the stand-in that these tests use", async () => {
  const { folder, env } = standIn(': > "$MARK/called"; exec "$RG" "$@"');
  await searchIn(env, { root: tree({ a: "needle\n" }), pattern: "needle" });
  expect(readdirSync(folder)).toEqual(["called"]);
});
