// The bundled ripgrep, started for every question as a person would: a scan of everything, and the yardstick and the
// oracle of the others.
import { execFileSync, spawn } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { watchChild } from "../cleanup.mjs";

const WALK = ["--no-config", "--hidden", "--color=never"];

export function openRipgrep(root) {
  const search = (question) =>
    scan([...WALK, "--no-heading", "--line-number", ...matching(question), ...where(question)]);
  return {
    name: "ripgrep",
    search: async (question) => ({ ms: await search(question) }),
    whole: async (question) => ({ counts: counts([...matching(question), ...where(question)]) }),
    find: async (glob) => ({ ms: await scan([...WALK, "--files", `--glob=${glob}`]) }),
    wholeFind: async (glob) => listed(run([...WALK, "--files", "--null", `--glob=${glob}`])),
    close: async () => {},
  };

  /** How long it takes until the last byte of its answer. */
  async function scan(argv) {
    const started = performance.now();
    const child = watchChild(spawn(rgPath, argv, { cwd: root, stdio: ["ignore", "pipe", "ignore"] }));
    let bytes = 0;
    child.stdout.on("data", (chunk) => (bytes += chunk.length));
    const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
    // 1: nothing was found. 2 without an answer: it refused, which takes no time at all.
    if (code === null || (code > 1 && bytes === 0))
      throw new Error(`rg ${argv.join(" ")} ended with ${code}`);
    return performance.now() - started;
  }

  function counts(argv) {
    return countsOf(run([...WALK, "--count", "--null", "--with-filename", ...argv]));
  }

  function run(argv) {
    return output(rgPath, argv, { cwd: root });
  }
}

function matching({ pattern, i, type, glob }) {
  return [
    ...(i ? ["--ignore-case"] : []),
    ...(type === undefined ? [] : [`--type=${type}`]),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    "-e",
    pattern,
  ];
}

function where({ path = "./" }) {
  return ["--", path];
}

export function typeGlobs(type) {
  const line = output(rgPath, ["--no-config", "--type-list"])
    .split("\n")
    .find((row) => row.startsWith(`${type}: `));
  return line?.slice(type.length + 2).split(", ") ?? [];
}

/** What a program prints; 1 means that it found nothing. */
export function output(program, argv, options = {}) {
  try {
    return execFileSync(program, argv, {
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "ignore"],
      ...options,
    });
  } catch (cause) {
    if (cause.status === 1 || cause.stdout?.length > 0) return cause.stdout;
    throw cause;
  }
}

/** Of `PATH NUL COUNT newline`, as ripgrep and git print it. */
export function countsOf(text) {
  const rows = [...text.matchAll(/([^\0]+)\0(\d+)\n/g)];
  return new Map(rows.map(([, path, count]) => [path.replace(/^\.\//, ""), Number(count)]));
}

function listed(text) {
  return new Set(
    text
      .split("\0")
      .filter((path) => path !== "")
      .map((path) => path.replace(/^\.\//, "")),
  );
}
