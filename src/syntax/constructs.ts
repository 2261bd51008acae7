/**
 * What the grammars call things, as far as `blocks.ts` must know it: which nodes are no construct of their own,
 * and what may stand behind a construct on its last line.
 */
import type { Language } from "./language.ts";

/** Nodes that only list what stands in them and have no mark of their own: they begin where their first entry does. */
const LISTS: ReadonlySet<string> = new Set([
  "statement_list",
  "expression_list",
  "body_statement",
  "block_body",
  "then",
  "do",
  "jsx_text",
  "text",
]);

export function isList(type: string, language: Language): boolean {
  return LISTS.has(type) || (type === "block" && language === "python");
}

/** What is written between quotes, and may hold nodes of its own. */
const STRINGS: ReadonlySet<string> = new Set([
  "string",
  "string_literal",
  "raw_string",
  "raw_string_literal",
  "interpreted_string_literal",
  "interpolated_string_expression",
  "verbatim_string_literal",
  "template_string",
  "template_literal_type",
  "encapsed_string",
  "ansi_c_string",
  "subshell_string",
  "bare_string",
  "regex",
  "heredoc",
  "heredoc_body",
  "heredoc_redirect",
  "nowdoc",
  "nowdoc_body",
  "string_content",
  "string_fragment",
  "heredoc_content",
]);

export function isString(type: string): boolean {
  return STRINGS.has(type);
}

/** Tokens and nodes that end a construct that began before. */
const CLOSERS: ReadonlySet<string> = new Set([
  "}",
  ")",
  "]",
  ">",
  "/>",
  "}}",
  "))",
  "]]",
  ";;",
  ";&",
  ";;&",
  "?>",
  "php_end_tag",
  "end",
  "fi",
  "done",
  "esac",
  "#endif",
  "endif",
  "endfor",
  "endforeach",
  "endwhile",
  "endswitch",
  "jsx_closing_element",
  "heredoc_end",
]);

export function isCloser(type: string): boolean {
  return CLOSERS.has(type);
}

/** Fields of a declaration that hold a part of it, */
export const PART_FIELDS: readonly string[] = [
  "name",
  "type",
  "returns",
  "return_type",
  "parameters",
  "type_parameters",
];
/** and nodes that are always one. */
const PARTS = /modifiers?$|^(?:function|pointer|reference)_declarator$/u;

export function isPart(type: string): boolean {
  return PARTS.test(type);
}

const DECLARATIONS = /(?:declaration|definition|specifier|item|signature|method)$/u;

export function isDeclaration(type: string): boolean {
  return DECLARATIONS.test(type);
}

/** Nodes that are whole in themselves, even where the parser lost its way around them. */
const WHOLE =
  /(?:_statement|_declaration|_definition|_item|_directive|_specifier|comment|class|module|method)$/u;

export function isWhole(type: string): boolean {
  return WHOLE.test(type);
}

/** Languages in which `#` begins a comment. */
const HASH_COMMENTS: ReadonlySet<Language> = new Set<Language>(["python", "ruby", "bash", "php"]);

/** Is this all that stands behind a construct on its last line: closing marks and comments? */
export function isOnlyClosing(rest: string, type: string, language: Language): boolean {
  const marks = language === "bash" ? /^[\s;,)\]&]+/u : /^[\s;,)\]]+/u;
  let left = type === "access_specifier" ? rest.replace(/^\s*:/u, "") : rest;
  for (let before = ""; before !== left; ) {
    before = left;
    left = left.replace(marks, "").replace(/^\/\*.*?\*\//u, "");
  }
  if (left === "" || left.startsWith("//")) return true;
  return left.startsWith("#") && HASH_COMMENTS.has(language);
}
