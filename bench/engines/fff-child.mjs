// fff's file finder in a process of its own. Started by fff.mjs with the folder of the package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerLines, timed } from "./lines.mjs";

const [folder] = process.argv.slice(2);
const { exports: entry } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { FileFinder } = await import(pathToFileURL(join(folder, entry["."].import)));
let finder = null;

const must = ({ ok, value, error }) => {
  if (!ok) throw new Error(error);
  return value;
};

await answerLines({
  open: async ({ root }) => {
    const { ms } = await timed(async () => {
      finder = must(FileFinder.create({ basePath: root, aiMode: true }));
      must(await finder.waitForIndexReady(280_000));
    });
    return { ms };
  },
  search: async ({ question }) => {
    const { ms, value } = await timed(() =>
      must(finder.grep(query(question), { mode: "regex", smartCase: false })),
    );
    return { ms, engineWhy: value.regexFallbackError };
  },
  whole: async ({ question }) => {
    const counts = new Map();
    let cursor = null;
    do {
      const options = { mode: "regex", smartCase: false, pageSize: 50_000, maxMatchesPerFile: 0, cursor };
      const page = must(finder.grep(query(question), options));
      for (const { relativePath } of page.items)
        counts.set(relativePath, (counts.get(relativePath) ?? 0) + 1);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { counts: [...counts] };
  },
});
finder?.destroy();

/**
 * Globs and folders stand before the pattern, and case is folded in it. A blank would end the pattern: what follows it
 * is taken for a condition where it looks like one. So it is written as its code, as whoever knows that would.
 */
function query({ pattern, i, glob, path }) {
  const where = [
    ...(glob === undefined ? [] : [glob.startsWith("**/") ? glob : `**/${glob}`]),
    ...(path === undefined ? [] : [`${path}/`]),
  ];
  return [...where, `${i ? "(?i)" : ""}${pattern.replaceAll(" ", String.raw`\x20`)}`].join(" ");
}
