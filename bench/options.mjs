// What `npm run bench` is asked for: flags to a plan. Read by run.mjs.
import { parseArgs } from "node:util";

export const PARTS = ["search", "find", "build", "fresh", "peers"];

const HELP = `npm run bench -- [--tree DIR] [FLAGS]

Quarry through the library and through MCP beside the bundled ripgrep, git grep, fff and oh-my-pi's natives, over the
Linux sources or any folder, in one run. Prints tables and whether the goals hold; keeps the run under bench/runs/.
Ends with 1 when an answer of ours is not ripgrep's.

  --tree DIR        The sources, unpacked (or QUARRY_BENCH_TREE); read, never written to.
                    Without it /usr/src/linux-source-6.1.tar.xz of Debian's linux-source-6.1 is unpacked into the cache.
  --scales LIST     Parts of the tree, in percent; over 100 in whole copies. The tables are of 100, or of the
                    largest below it; all of them show how cost grows. Default: 1,10,100,300
  --rounds N        In each of them, what takes under 50 ms is called three times. Default: 9
  --minutes N       A part that takes longer ends after the round it is in, of at least three. Default: 30
  --only LIST       Of ${PARTS.join(", ")} (the other engines in search). Default: all
  --match REGEX     Only patterns and globs whose names match
  --quick           Scale 1, three rounds, unless they are given
  --cache DIR       Where peers are installed and sources unpacked. Default: quarry-bench in the user's cache folder
  --into DIR        Keep the run in this folder instead of bench/runs/
  --help            This text
`;

/** null where only the help was wanted. */
export function readOptions(argv, env) {
  const { values } = parseArgs({
    args: argv,
    options: {
      tree: { type: "string" },
      scales: { type: "string" },
      rounds: { type: "string" },
      minutes: { type: "string" },
      only: { type: "string" },
      match: { type: "string", default: "" },
      cache: { type: "string" },
      quick: { type: "boolean", default: false },
      into: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return null;
  }
  const { quick } = values;
  const scales = numbers("scales", values.scales ?? (quick ? "1" : "1,10,100,300"));
  const only = values.only?.split(",") ?? PARTS;
  const unknown = only.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`--only knows ${PARTS.join(", ")}, not ${unknown.join(", ")}`);
  const odd = scales.filter((scale) => scale > 100 && scale % 100 !== 0);
  if (odd.length > 0) throw new Error(`--scales over 100 are whole copies, not ${odd.join(", ")}`);
  return {
    tree: values.tree ?? env.QUARRY_BENCH_TREE,
    scales: scales.toSorted((a, b) => a - b),
    /** The tables are of this one. */
    main: Math.max(
      ...scales.filter((scale) => scale <= 100),
      ...(scales.every((s) => s > 100) ? scales : []),
    ),
    rounds: numbers("rounds", values.rounds ?? (quick ? "3" : "9"))[0],
    milliseconds: numbers("minutes", values.minutes ?? (quick ? "2" : "30"))[0] * 60_000,
    parts: new Set([...only, ...(only.includes("peers") ? ["search"] : [])]),
    match: new RegExp(values.match),
    cache: values.cache,
    into: values.into,
  };
}

function numbers(name, text) {
  const list = text.split(",").map(Number);
  if (list.every((number) => number > 0)) return list;
  throw new Error(`--${name} takes numbers over 0, not ${text}`);
}
