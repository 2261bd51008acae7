import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FindRequest, find, search, type SearchRequest } from "../../src/quarry.ts";
import { runScript } from "../support/script.ts";
import { tree } from "../support/tree.ts";

const HOSTILE = [
  "--pre=./canary.sh",
  "--pre",
  "-z",
  "--search-zip",
  "--hostname-bin=./canary.sh",
  "--config=./canary.sh",
  "-f./canary.sh",
  "--",
  "-",
  "-e",
  "--json --pre=./canary.sh",
  "x\n--pre=./canary.sh",
  "$(./canary.sh)",
  "`./canary.sh`",
  "; ./canary.sh",
  "| ./canary.sh",
];

/** A tree in which whatever is run leaves a canary in the cage. */
function trap(): { root: string; cage: string } {
  const cage = tree();
  const files = Object.fromEntries(
    HOSTILE.filter((name) => !name.includes("/")).map((name) => [name, "needle\n"]),
  );
  const root = tree({ ...files, a: "needle\n", "canary.sh": `#!/bin/sh\n: > '${cage}/canary'\ncat "$1"\n` });
  chmodSync(join(root, "canary.sh"), 0o755);
  return { root, cage };
}

describe("text that looks like a flag", () => {
  const fields: readonly ((text: string) => Partial<SearchRequest>)[] = [
    (pattern) => ({ pattern }),
    (pattern) => ({ pattern, literal: true }),
    (pattern) => ({ pattern: `${pattern}(?=x)` }),
    (text) => ({ paths: text }),
    (text) => ({ paths: [text, "a"] }),
    (include) => ({ include }),
    (exclude) => ({ exclude }),
    (exclude) => ({ exclude, globsMatchNames: true }),
    (types) => ({ types }),
    (typeGlobs) => ({ typeGlobs }),
    (skipFolders) => ({ skipFolders }),
  ];

  it("runs nothing in any field of a search", async () => {
    const { root, cage } = trap();
    for (const field of fields) {
      await Promise.all(
        HOSTILE.map((text) =>
          search({ root, pattern: "needle", ...field(text) })
            .collect()
            .catch(() => {}),
        ),
      );
    }
    expect(readdirSync(cage)).toEqual([]);
  });

  it("runs nothing in any field of a find", async () => {
    const { root, cage } = trap();
    const scopes: readonly ((text: string) => FindRequest)[] = [
      (paths) => ({ paths }),
      (include) => ({ include }),
      (exclude) => ({ exclude }),
      (types) => ({ types }),
      (typeGlobs) => ({ typeGlobs }),
      (skipFolders) => ({ skipFolders }),
    ];
    for (const scope of scopes) {
      await Promise.all(
        HOSTILE.map((text) =>
          find({ root, ...scope(text) })
            .collect()
            .catch(() => {}),
        ),
      );
    }
    expect(readdirSync(cage)).toEqual([]);
  });

  it("is searched for as text, and as a path it is that file", async () => {
    const names = ["-z", "--pre", "-", "--", "-e"];
    const root = tree(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    for (const name of names) {
      const byText = await search({ root, pattern: name, literal: true, mode: "files" }).collect();
      expect(byText.hits.map(({ path }) => path)).toContain(name);
      const byPath = await search({ root, pattern: ".", paths: name }).collect();
      expect(byPath.hits.map(({ path, text }) => [path, text])).toEqual([[name, name]]);
      const found = await find({ root, paths: name }).collect();
      expect(found.hits.map(({ path }) => path)).toEqual([name]);
    }
  });
});

it("answers where stdin is a pipe that nobody writes to or closes", async () => {
  const root = tree({ a: "needle\n", "-": "needle\n" });
  const said = await runScript(
    `const ask = async (paths) => (await search({ root: ${JSON.stringify(root)}, pattern: "needle", paths }).collect()).hits.length;
     console.log(JSON.stringify([await ask("."), await ask("a"), await ask("-")]));
     process.exit(0);`,
  );
  expect(said).toEqual([2, 1, 1]);
});
