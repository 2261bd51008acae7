/** Which language a file is written in, by its name, else by its first line. `blocks.ts` and `outline.ts` ask. */

export type Language =
  | "typescript"
  | "tsx"
  | "javascript"
  | "python"
  | "go"
  | "rust"
  | "c"
  | "cpp"
  | "java"
  | "csharp"
  | "ruby"
  | "php"
  | "bash"
  | "css";

/** The endings of file names. Among C's, `.h` is C unless its first line says that it is C++. */
const ENDINGS: Readonly<Record<Language, string>> = {
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js jsx mjs cjs",
  python: "py pyi pyw",
  go: "go",
  rust: "rs",
  c: "c h",
  cpp: "cc cpp cxx c++ hpp hh hxx h++ ipp tpp inl",
  java: "java",
  csharp: "cs csx",
  ruby: "rb rake gemspec ru",
  php: "php phtml php5 php7 php8",
  bash: "sh bash",
  css: "css",
};

/** Files that are known by their whole name. */
const NAMES: ReadonlyMap<string, Language> = new Map([
  ["Rakefile", "ruby"],
  ["Gemfile", "ruby"],
  ["Vagrantfile", "ruby"],
  [".bashrc", "bash"],
  [".bash_profile", "bash"],
  [".bash_aliases", "bash"],
  [".profile", "bash"],
]);

/** What a `#!` line may start, without its version. */
const INTERPRETERS: ReadonlyMap<string, Language> = new Map([
  ["sh", "bash"],
  ["bash", "bash"],
  ["dash", "bash"],
  ["ash", "bash"],
  ["python", "python"],
  ["pypy", "python"],
  ["node", "javascript"],
  ["nodejs", "javascript"],
  ["tsx", "typescript"],
  ["ts-node", "typescript"],
  ["ruby", "ruby"],
  ["php", "php"],
]);

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(" ").map((ending) => [ending, language as Language] as const),
  ),
);

export function languageOf(path: string, firstLine: string): Language | null {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  const ending = dot < 0 ? "" : name.slice(dot + 1);
  // `.C` and `.H` are C++ by custom; every other ending is known in any case.
  if (ending === "C" || ending === "H") return "cpp";
  const known = NAMES.get(name) ?? BY_ENDING.get(ending.toLowerCase());
  if (known === "c" && /-\*-\s*(?:mode:\s*)?c\+\+/iu.test(firstLine.slice(0, 200))) return "cpp";
  return known ?? interpreterOf(firstLine);
}

/** `#!/usr/bin/python3.11 -u`, `#!/usr/bin/env -S node --flag`. */
function interpreterOf(firstLine: string): Language | null {
  if (!firstLine.startsWith("#!")) return null;
  const words = firstLine.slice(2, 200).trim().split(/\s+/u);
  const program = words.find((word, at) => !(word.startsWith("-") || word.includes("=") || isEnv(word, at)));
  const base = program?.slice(program.lastIndexOf("/") + 1) ?? "";
  return INTERPRETERS.get(base) ?? INTERPRETERS.get(base.replace(/[\d.]+$/u, "")) ?? null;
}

function isEnv(word: string, at: number): boolean {
  return at === 0 && /(?:^|\/)env$/u.test(word);
}
