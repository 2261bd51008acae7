import type { Pattern } from "../model/query.ts";

/**
 * Whether a pattern looks at one line and nothing else, so that texts may be searched one behind the other. What
 * could ask for the beginning or the end of a whole text is refused, also where it is only written like that.
 */
export function isLineLocal({ syntax, text, multiline }: Pattern): boolean {
  if (multiline) return false;
  return syntax === "literal" || !TEXT_ANCHOR.test(text);
}

/** `\A \z \Z \G`, `(?-m)`, PCRE2's verbs and `(?^)`. */
const TEXT_ANCHOR = /\\[AGZz]|\(\?[a-z]*-[a-z]*m|\(\*|\(\?\^/i;
