/**
 * What an outline may leave out, by the names the grammars give their nodes. `regions.ts` reads it; a new language
 * needs a row here and nothing else.
 */
import type { Language } from "./language.ts";

export interface Shape {
  /** Code in a body: left out with what is in it. Braces or `end` around it stay. */
  readonly bodies: ReadonlySet<string>;
  /** Bodies that have no line of their own to close them: all their lines go. */
  readonly indented: ReadonlySet<string>;
  /** What a body belongs to that has a name, or is a value: functions. */
  readonly functions: ReadonlySet<string>;
  /** What a body belongs to that only groups declarations: its body stays. */
  readonly holders: ReadonlySet<string>;
  /** Values of several lines: their inner lines go. */
  readonly values: ReadonlySet<string>;
  /** Lists of members, which stay unless they are very long. */
  readonly types: ReadonlySet<string>;
}

type Row = Partial<Readonly<Record<keyof Shape, string>>>;

const ECMASCRIPT: Row = {
  bodies: "statement_block switch_body",
  functions: `
      function_declaration generator_function_declaration function_expression generator_function
      arrow_function method_definition class_static_block`,
  holders: "internal_module module ambient_declaration",
  values: "object array arguments template_string jsx_element jsx_self_closing_element",
  types: "interface_body enum_body object_type",
};

const ROWS: Readonly<Record<Language, Row>> = {
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  javascript: ECMASCRIPT,
  python: {
    bodies: "block",
    indented: "block",
    functions: "function_definition",
    holders: "class_definition",
    values: `
      dictionary list set tuple argument_list string concatenated_string
      parenthesized_expression list_comprehension dictionary_comprehension set_comprehension
      generator_expression`,
  },
  go: {
    bodies: "block",
    functions: "function_declaration method_declaration func_literal",
    values: "literal_value raw_string_literal argument_list",
    types: "field_declaration_list interface_type const_declaration var_declaration",
  },
  rust: {
    bodies: "block",
    functions: "function_item closure_expression",
    values: `
      array_expression tuple_expression field_initializer_list token_tree macro_definition
      arguments string_literal raw_string_literal match_block`,
    types: "field_declaration_list enum_variant_list ordered_field_declaration_list",
  },
  c: {
    bodies: "compound_statement",
    functions: "function_definition",
    values: "initializer_list argument_list concatenated_string preproc_def preproc_function_def",
    types: "field_declaration_list enumerator_list",
  },
  cpp: {
    bodies: "compound_statement",
    functions: "function_definition lambda_expression",
    values: `
      initializer_list argument_list concatenated_string raw_string_literal preproc_def
      preproc_function_def`,
    types: "enumerator_list",
  },
  java: {
    bodies: "block constructor_body switch_block",
    functions: `
      method_declaration constructor_declaration compact_constructor_declaration
      lambda_expression static_initializer`,
    values: `
      array_initializer argument_list annotation_argument_list element_value_array_initializer
      string_literal`,
  },
  csharp: {
    bodies: "block switch_body arrow_expression_clause",
    functions: `
      method_declaration constructor_declaration destructor_declaration operator_declaration
      conversion_operator_declaration accessor_declaration local_function_statement
      lambda_expression anonymous_method_expression property_declaration indexer_declaration`,
    values: `
      initializer_expression argument_list raw_string_literal verbatim_string_literal
      interpolated_string_expression switch_expression anonymous_object_creation_expression
      collection_expression`,
    types: "enum_member_declaration_list",
  },
  ruby: {
    bodies: "body_statement if unless while until for case begin do_block block",
    indented: "body_statement",
    functions: "method singleton_method lambda",
    holders: "class module singleton_class do_block block begin",
    values: "hash array argument_list heredoc_body string",
  },
  php: {
    bodies: "compound_statement switch_block",
    functions: "function_definition method_declaration anonymous_function",
    holders: "namespace_definition",
    values: "array_creation_expression arguments heredoc nowdoc encapsed_string string match_block",
  },
  bash: {
    bodies: `
      compound_statement subshell if_statement case_item do_group while_statement for_statement
      c_style_for_statement`,
    functions: "function_definition",
    values: "array heredoc_redirect string raw_string",
  },
  css: {
    bodies: "block",
    functions: "rule_set keyframe_block",
    holders: "media_statement supports_statement at_rule",
    values: "arguments",
  },
};

export function shapeOf(language: Language): Shape {
  const row = ROWS[language];
  return {
    bodies: words(row.bodies),
    indented: words(row.indented),
    functions: words(row.functions),
    holders: words(row.holders),
    values: words(row.values),
    types: words(row.types),
  };
}

function words(list: string | undefined): ReadonlySet<string> {
  return new Set(list?.trim().split(/\s+/u));
}

/** Where a function stands that is handed to a call: `describe("…", () => {…})`, `(function () {…})()`. */
const HANDED: ReadonlySet<string> = new Set([
  "arguments",
  "argument_list",
  "argument",
  "parenthesized_expression",
  "unary_expression",
  "call_expression",
]);

/** Ruby hands blocks to calls without parentheses. */
const BLOCKS: ReadonlySet<string> = new Set(["do_block", "block"]);

/** Is a function whose parent is this handed to a call? */
export function isHanded(type: string): boolean {
  return HANDED.has(type);
}

export function isHandedBlock(type: string, language: Language): boolean {
  return language === "ruby" && BLOCKS.has(type);
}
