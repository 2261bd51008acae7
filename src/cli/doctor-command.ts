/**
 * `quarry doctor`: what this installation runs on, and what is wrong with it. Called by `run`; the report goes
 * to stdout, each problem with its remedy to stderr, and the exit code is 2 if there is one.
 */
import { errorText } from "../format/error-text.ts";
import { escapeText } from "../format/escape.ts";
import { line } from "../format/json-lines.ts";
import { paint } from "../format/style.ts";
import { parseTyped } from "./arguments.ts";
import { commandHelp } from "./help.ts";
import { type Diagnosis, diagnose } from "./diagnosis.ts";
import { indexRows } from "./index-diagnosis.ts";
import { type Io, say, stderrStyle, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";
import { refusePositionals } from "./unknown.ts";

export async function doctorCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("doctor", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("doctor"));
    return 0;
  }
  refusePositionals("doctor", typed.positionals);
  const diagnosis = await diagnose(io.cwd, io.env, io.signal);
  const color = typed.choice("color");
  if (typed.on("json")) {
    const problems = diagnosis.problems.map(({ code, message, hint }) => ({ code, message, hint }));
    await out.write(line({ type: "doctor", ...diagnosis, problems }));
  } else {
    const style = stdoutStyle(io, color);
    for (const [name, value] of rows(diagnosis)) {
      await out.write(`${paint(style, "line", name.padEnd(11))} ${escapeText(value)}\n`);
    }
  }
  await out.flush();
  for (const problem of diagnosis.problems) await say(io, errorText(stderrStyle(io, color), problem));
  return diagnosis.problems.length === 0 ? 0 : 2;
}

function rows({
  quarry,
  node,
  platform,
  ripgrep,
  timeLimit,
  wsl,
  index,
  problems,
}: Diagnosis): [string, string][] {
  const unknown = "not known, see below";
  return [
    ["quarry", quarry],
    ["node", `${node}, ${platform}`],
    ["ripgrep", ripgrep === null ? "not usable, see below" : `${ripgrep.mode}, ${ripgrep.path}`],
    ["version", ripgrep?.version ?? unknown],
    [
      "pcre2",
      ripgrep === null ? unknown : (ripgrep.pcre2 ?? "no: look-around and back-references cannot be used"),
    ],
    ["time limit", timeLimit === null ? unknown : `${timeLimit.ms / 1000} s, ${timeLimit.from}`],
    ["wsl", wsl ? "yes" : "no"],
    ...indexRows(index),
    ["verdict", problems.length === 0 ? "all is well" : "something is wrong, see below"],
  ];
}
