// oh-my-pi's native grep, under bun. Started by pi-natives.mjs with the folder of the package.
import { join } from "node:path";
import { answerLines, timed } from "./lines.mjs";

const [folder] = process.argv.slice(2);
const { grep } = await import(join(folder, "native/index.js"));

/** A page as oh-my-pi's search tool asks for it. */
const PAGE = { mode: "content", maxCount: 2_000, maxCountPerFile: 20, maxColumns: 512 };

await answerLines({
  search: async ({ root, question }) => {
    const { ms } = await timed(() => grep({ ...asked(root, question), ...PAGE }));
    return { ms };
  },
  whole: async ({ root, question }) => {
    const { matches } = await grep({ ...asked(root, question), mode: "count" });
    const under = question.path === undefined ? "" : `${question.path}/`;
    return { counts: matches.map(({ path, matchCount }) => [`${under}${path}`, matchCount]) };
  },
});

/** Without ignore files: ripgrep heeds none outside a repository, and oh-my-pi all of them. */
function asked(root, { pattern, i, type, glob, path }) {
  return {
    pattern,
    path: path === undefined ? root : join(root, path),
    ignoreCase: i ?? false,
    hidden: true,
    gitignore: false,
    ...(type === undefined ? {} : { type }),
    ...(glob === undefined ? {} : { glob }),
  };
}
