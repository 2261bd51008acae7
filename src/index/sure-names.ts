import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { RULE_LETTERS, RULES_BYTES, RULES_OF_FILE } from "../model/limits.ts";
import { hasShape, type NameShape, nameShapes, saysNothing } from "../regex/glob-shape.ts";
import { REPOSITORIES, type RulesWatch, type RuleText } from "./feed/rules-watch.ts";
import { keyBelow, keyOnDisk, type PathKey, pathOfKey, splitKey } from "./path-key.ts";

/**
 * Which new files and folders are in the tree beyond doubt, so that ripgrep need not be started to say so: those that no ignore rule
 * can match by the names in their paths. That is said with too much caution rather than too little: every rule counts
 * that could be read for a file, wherever another repository begins; a rule that takes something back does not; and where
 * one is odd, nothing is sure. Only git's own rules count for nothing where there is no repository at all: sources that
 * were unpacked have a `.gitignore`, and it may say `/*`. Asked by `tree.ts`.
 */

/** `folders`: whatever lies in one with such a name. `here`: everything in the folder that the rule is in. */
interface Rule {
  readonly of: "name" | "folder name" | "folders" | "here";
  readonly shapes: readonly NameShape[];
}

/** Of files and folders, and of folders alone. */
interface Shapes {
  readonly any: readonly NameShape[];
  readonly folders: readonly NameShape[];
}

/** null: one of them may match anything. */
type Rules = readonly Rule[] | null;

/** Those of a repository that lies elsewhere are among the rules outside. */
const GIT_FILES = [".gitignore", ".git/info/exclude"];
const OTHER_FILES = [".ignore", ".rgignore"];

/** What is read in one place. */
interface Read {
  readonly rules: Rules;
  /** Those that count in a repository. */
  readonly ofGit: Rules;
  readonly isRepository: boolean;
}

export class SureNames {
  readonly #root: string;
  readonly #watch: Pick<RulesWatch, "texts" | "inRepository">;
  /** The names of the folders on the way to the root. */
  readonly #above: readonly string[];
  /** Kept once they are read: a change of one is told, and all is read anew. */
  readonly #readIn = new Map<PathKey, Read>();
  #outside: Read | undefined = undefined;
  /** What names in a folder are like that a rule may leave out; null: any name. */
  readonly #shapesIn = new Map<PathKey, Shapes | null>();

  constructor(root: string, watch: Pick<RulesWatch, "texts" | "inRepository">) {
    this.#root = root;
    this.#watch = watch;
    this.#above = Buffer.from(root).toString("latin1").split("/");
  }

  /** The rules may be others from now on. Those that count everywhere are read now, and not while somebody waits. */
  renew(): void {
    this.#readIn.clear();
    this.#outside = undefined;
    this.#shapesIn.clear();
    this.#rulesFor("");
  }

  /** Of a plain file or a folder in a folder that ripgrep's walk enters, while the rules are those of the last fingerprint. */
  has(key: PathKey, kind: "file" | "folder"): boolean {
    if (pathOfKey(key).pathBytes !== undefined) return false;
    const { folder, name } = splitKey(key);
    let shapes = this.#shapesIn.get(folder);
    if (shapes === undefined) {
      shapes = shapesOf(this.#rulesFor(folder), [...this.#above, ...folder.split("/")]);
      this.#shapesIn.set(folder, shapes);
    }
    if (shapes === null || isLike(name, shapes.any)) return false;
    return kind === "file" || !isLike(name, shapes.folders);
  }

  #rulesFor(folder: PathKey): Rules {
    // Of which some begin at the root, or in the tree.
    const all = [this.#readOutside()];
    for (let at = folder; ; at = splitKey(at).folder) {
      const read = this.#read(at);
      all.push(at === folder ? read : { ...read, rules: notHere(read.rules), ofGit: notHere(read.ofGit) });
      if (at === "") break;
    }
    const ofGit = all.some(({ isRepository }) => isRepository) ? all.map((read) => read.ofGit) : [];
    return together([...all.map(({ rules }) => rules), ...ofGit]);
  }

  #readOutside(): Read {
    if (this.#outside !== undefined) return this.#outside;
    const texts = this.#watch.texts();
    const read = (some: readonly RuleText[]): Rules =>
      together(some.map(({ bytes }) => (bytes === null ? null : rulesOf(bytes))));
    this.#outside = {
      rules: read(texts.filter(({ ofGit }) => !ofGit)),
      ofGit: read(texts.filter(({ ofGit }) => ofGit)),
      isRepository: this.#watch.inRepository(),
    };
    return this.#outside;
  }

  #read(folder: PathKey): Read {
    const known = this.#readIn.get(folder);
    if (known !== undefined) return known;
    const at = (name: string): string | Buffer => keyOnDisk(this.#root, keyBelow(folder, name));
    const read = {
      rules: together(OTHER_FILES.map((name) => readRules(at(name)))),
      ofGit: together(GIT_FILES.map((name) => readRules(at(name)))),
      isRepository: REPOSITORIES.some((name) => isThere(at(name))),
    };
    this.#readIn.set(folder, read);
    return read;
  }
}

/** Of the rules of a folder, those that say something of what lies further below. */
function notHere(rules: Rules): Rules {
  return rules === null ? null : rules.filter(({ of }) => of !== "here");
}

/** Also where nobody may look. */
function isThere(path: string | Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** What is left of the rules for the names in a folder; `folders` leads to it. */
function shapesOf(rules: Rules, folders: readonly string[]): Shapes | null {
  if (rules === null) return null;
  const all = { any: [] as NameShape[], folders: [] as NameShape[] };
  for (const { of, shapes } of rules) {
    if (of === "name") all.any.push(...shapes);
    else if (of === "folder name") all.folders.push(...shapes);
    else if (of === "here" || folders.some((folder) => isLike(folder, shapes))) return null;
  }
  return all;
}

function isLike(name: string, shapes: readonly NameShape[]): boolean {
  return shapes.some((shape) => hasShape(name, 0, name.length, shape));
}

function together(files: readonly Rules[]): Rules {
  const known = files.filter((rules) => rules !== null);
  return known.length < files.length ? null : known.flat();
}

/** A change of it is told by an event, but not of what a link leads to, nor of a write by another name. */
function readRules(path: string | Buffer): Rules {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    return ABSENT.has(code) ? [] : null;
  }
  try {
    const info = fstatSync(descriptor);
    if (!info.isFile() || info.nlink > 1 || info.size > RULES_BYTES) return null;
    return rulesOf(readFileSync(descriptor));
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/** The rules of an ignore file that may leave out something. */
function rulesOf(bytes: Buffer): Rules {
  // ripgrep reads no further than to what is no text, and has not always known what to make of a mark at the beginning.
  if (bytes.length > RULES_BYTES || !isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  if (text.startsWith("\uFEFF")) return null;
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    const rule = ruleOf(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (rule === null || rules.length === RULES_OF_FILE) return null;
    if (rule !== "none") rules.push(rule);
  }
  return rules;
}

/** `none`: it leaves out nothing. null: nobody knows what. */
function ruleOf(line: string): Rule | "none" | null {
  if (line.startsWith("#") || line.startsWith("!")) return "none";
  // A blank that is meant. What counts as one beyond ASCII is not quite the same for ripgrep.
  if (line.length > RULE_LETTERS || line.endsWith("\\ ")) return null;
  const rule = line.trimEnd();
  if (/[^\0-\x7f]/.test(line.slice(rule.length))) return null;
  if (rule === "") return "none";
  // At its end a slash asks for a folder, and says nothing of a file.
  if (rule.endsWith("/")) return folderRule(rule.slice(0, -1));
  if (rule === "/*") return { of: "here", shapes: [] };
  return shapedRule(rule);
}

/** Where nobody knows which folders, it may be any. A slash that is escaped is one all the same: `\/` says any folder. */
function folderRule(rule: string): Rule {
  const known = rule.endsWith("\\") ? null : shapedRule(rule);
  return { of: "folder name", shapes: known?.of === "name" ? known.shapes : [ANY_NAME] };
}

const ANY_NAME: NameShape = { start: "", middle: "", end: "", whole: false };

/**
 * A path that a rule matches ends in a name like the rule's last one; if that is `*` or `**`, a folder on the way has a
 * name like the last that is neither.
 */
function shapedRule(rule: string): Rule | null {
  const names = rule.split("/");
  const last = names.findLastIndex((name) => !/^\*+$/.test(name)) + 1;
  const shapes = nameShapes(names.slice(0, last).join("/"));
  if (shapes === null || saysNothing(shapes)) return null;
  return { of: last === names.length ? "name" : "folders", shapes: shapes.any };
}
