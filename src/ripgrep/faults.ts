import { StringDecoder } from "node:string_decoder";
import type { ErrorCode } from "../model/errors.ts";
import { ToolError } from "../model/errors.ts";
import { STDERR } from "../model/limits.ts";
import { withoutDot } from "./paths.ts";

/**
 * What ripgrep says on stderr, as data. Most of it is about one path and does not end the run; what does
 * becomes a coded error in a person's words. With `--debug` it also tells what it leaves out.
 */

export type Fault =
  | { readonly kind: "unreadable"; readonly path: string; readonly message: string }
  | { readonly kind: "loop"; readonly path: string; readonly message: string }
  /** The file was opened, and the search of it failed. */
  | { readonly kind: "unsearched"; readonly path: string; readonly message: string }
  | { readonly kind: "other"; readonly message: string };

export interface FaultReader {
  readonly feed: (chunk: Buffer) => void;
  /** The system would not give ripgrep its threads. */
  readonly shortage: () => boolean;
  /** A last line without its end is left out where ripgrep was stopped in the middle of it. */
  readonly finish: (stopped: boolean) => FaultReport;
}

export interface FaultReport {
  readonly faults: readonly Fault[];
  /** Messages past what is kept: counted, not read. */
  readonly unsaid: number;
  /** All it said, but for what `--debug` adds. */
  readonly text: string;
  /** What it left out, with its reason, where it was asked to say so. */
  readonly ignored: readonly Ignored[];
}

export interface Ignored {
  readonly path: string;
  /** The size of a file that is too large, or ripgrep's own words for the rule. */
  readonly reason: { readonly kind: "size" } | { readonly kind: "rule"; readonly rule: string };
}

/** A message, or a panic. Lines that start with neither belong to the one before: a name may hold a newline. */
const MESSAGE = /^(?:rg: |thread ')/;
/** At the end of a line, where no name can stand. */
const THREADS_REFUSED = /Resource temporarily unavailable(?: \(os error 11\)|" \})?$|\(os error 11\)$/;
const DEBUG = /^rg: (?:DEBUG|TRACE)\|/;
const IGNORING = /^rg: DEBUG\|ignore::walk\|[^:]+:\d+: ignoring (.*): (?:(\d+) bytes|Ignore\((.*)\))$/s;
const LOOP = /^File system loop found: (.*) points to an ancestor (.*)$/s;
const UNSEARCHED = /^(.*): (PCRE2: error matching: .*)$/s;
const UNREADABLE = /^(.*): ([^:]+ \(os error \d+\))$/s;

export function faultReader(): FaultReader {
  const ignored: Ignored[] = [];
  const said: string[] = [];
  const decoder = new StringDecoder("utf8");
  let kept = 0;
  let unsaid = 0;
  let rest = "";
  let message = "";
  let shortage = false;

  const line = (text: string): void => {
    if (!DEBUG.test(text) && THREADS_REFUSED.test(text)) shortage = true;
    if (MESSAGE.test(text)) {
      flush();
      message = text;
    } else if (message.length < STDERR) {
      message = message === "" ? text : `${message}\n${text}`;
    }
  };

  const flush = (): void => {
    const text = message;
    message = "";
    if (text === "") return;
    if (!DEBUG.test(text)) {
      if (kept < STDERR) said.push(text);
      else unsaid++;
      kept += text.length;
      return;
    }
    const [, path, size, rule] = IGNORING.exec(text) ?? [];
    if (path === undefined) return;
    ignored.push({
      path: withoutDot(path),
      reason: size === undefined ? { kind: "rule", rule: rule ?? "" } : { kind: "size" },
    });
  };

  return {
    feed: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      // Past what is kept, a line that never ends is cut rather than held.
      if (rest.length > STDERR) rest = rest.slice(0, STDERR);
      for (const text of lines) line(text);
    },
    shortage: () => shortage,
    finish: (stopped) => {
      if (rest !== "" && !stopped) line(rest);
      rest = "";
      flush();
      return { faults: readFaults(said), text: said.join("\n"), unsaid, ignored };
    },
  };
}

function readFaults(messages: readonly string[]): Fault[] {
  return messages
    .map((message) => message.replace(/^rg: /, ""))
    .filter((message) => message.trim() !== "")
    .map(readFault);
}

function readFault(message: string): Fault {
  const loop = LOOP.exec(message);
  if (loop?.[1] !== undefined) {
    return {
      kind: "loop",
      path: withoutDot(loop[1]),
      message: `is a link that leads back to ${withoutDot(loop[2] ?? "")}, and was not followed`,
    };
  }
  const unsearched = UNSEARCHED.exec(message);
  if (unsearched?.[1] !== undefined && unsearched[2] !== undefined) {
    return { kind: "unsearched", path: withoutDot(unsearched[1]), message: unsearched[2] };
  }
  const unreadable = UNREADABLE.exec(message);
  if (unreadable?.[1] !== undefined && unreadable[2] !== undefined) {
    return { kind: "unreadable", path: withoutDot(unreadable[1]), message: unreadable[2] };
  }
  return { kind: "other", message };
}

/** Why a run that ended without finishing did so. */
export function fatalError(text: string, code: number | null): ToolError {
  const message = text.replace(/^rg: /, "").trim();
  const failure = (code: ErrorCode, words: string, hint: string): ToolError =>
    new ToolError(code, words, { hint });
  const type = /unrecognized file type: ?(.*)/.exec(message)?.[1];
  if (type !== undefined) {
    return failure(
      "UNKNOWN_TYPE",
      `ripgrep knows no file type "${type}"`,
      "Use one of ripgrep's type names, or a glob",
    );
  }
  if (/PCRE2 is not available/.test(message)) {
    return failure(
      "PCRE2_UNAVAILABLE",
      "The pattern uses look-around or a back-reference, and this ripgrep has no PCRE2",
      "Write the pattern without them, or unset USE_BUILTIN_RIPGREP to use the bundled ripgrep, which has it",
    );
  }
  if (/error parsing glob|invalid glob|invalid definition/.test(message)) {
    return failure("INVALID_GLOB", firstLine(message), "Escape a literal brace or bracket with a backslash");
  }
  if (
    /regex parse error|PCRE2: error|is not allowed in a regex|is impossible to match|exceeds size limit|regex could not be compiled/.test(
      message,
    )
  ) {
    return failure(
      "INVALID_PATTERN",
      message,
      "Escape what is meant literally, or search for it as plain text",
    );
  }
  return failure(
    "RIPGREP_FAILED",
    message === "" ? `ripgrep ended with code ${code} and said nothing` : message,
    "Run `quarry doctor` to see which ripgrep is used",
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
