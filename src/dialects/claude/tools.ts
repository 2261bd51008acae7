/** The tools of Claude Code's dialect over one session. */
import type { Session } from "../../workspace/session.ts";
import type { GlobDetails } from "../glob-answer.ts";
import { findGround, type House, searchGround } from "../progress.ts";
import { answering, type Tool } from "../result.ts";
import { inWords, type Words } from "../words.ts";
import { claudeGlob } from "./glob.ts";
import type { GlobInput } from "./glob-definition.ts";
import { claudeGrep, type GrepDetails } from "./grep.ts";
import type { GrepInput } from "./grep-definition.ts";

export interface ClaudeTools {
  readonly Grep: Tool<GrepInput, GrepDetails>;
  readonly Glob: Tool<GlobInput, GlobDetails>;
}

/** `Grep` has no literal patterns. */
const WORDS: Words = [
  [/\bfind looks for names/, "Glob looks for names"],
  [/, or search for the whole pattern as literal text/, ""],
];

export function claudeTools(session: Session, house: House): ClaudeTools {
  return {
    Grep: (input, options) =>
      answering(() => inWords(WORDS, () => claudeGrep(session, input, searchGround(house, options)))),
    Glob: (input, options) => answering(() => claudeGlob(session, input, findGround(house, options))),
  };
}
