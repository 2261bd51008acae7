import { readFileSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathBelow } from "../workspace/real-path.ts";

/**
 * Whether folders may be operands of one ripgrep run although ignore rules count. With several, ripgrep 15.0 asks the
 * ignore files above them about the path of the first, whichever it walks (BurntSushi/ripgrep#3376). That does no harm
 * where the same files lie above all of them, and where no rule there can tell one from another: a rule on a name
 * alone holds anywhere, and an anchored one nowhere but below the folder that it names first. Whatever is not surely
 * such a rule is taken for one that could. Called by `links.ts`, for links that are followed.
 */
export interface RulesAbove {
  /** The folders with ignore files above this real path; null where it must have a run of its own. */
  readonly shared: (real: string) => string | null;
}

/** Of one folder: the names that its anchored rules begin with, in lower case; null where there are others. */
type Anchors = ReadonlySet<string> | null;

/** What is read lasts as long as one call. */
export function rulesAbove(): RulesAbove {
  const known = new Map<string, Anchors | "nothing">();
  const anchorsOf = (folder: string): Anchors | "nothing" => {
    const anchors = known.get(folder) ?? readAnchors(folder);
    known.set(folder, anchors);
    return anchors;
  };
  return {
    shared: (real) => {
      const folders: string[] = [];
      for (
        let folder = dirname(real), below = real;
        folder !== below;
        below = folder, folder = dirname(folder)
      ) {
        const anchors = anchorsOf(folder);
        if (anchors === "nothing") continue;
        const first = pathBelow(folder, real)?.split(sep)[0] ?? "";
        if (anchors === null || anchors.has(first.toLowerCase())) return null;
        folders.push(folder);
      }
      return folders.join("\0");
    },
  };
}

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", join(".git", "info", "exclude")];
/** These make a folder a repository, without which a `.gitignore` does not count. */
const REPOSITORIES = [".git", ".jj"];

function readAnchors(folder: string): Anchors | "nothing" {
  const repositories = new Set(REPOSITORIES.map((name) => kindOf(join(folder, name))));
  // A file says that the repository, and its list of exclusions, is elsewhere.
  if (repositories.has("other")) return null;
  const texts = IGNORE_FILES.map((name) => textOf(join(folder, name)));
  if (texts.includes(null)) return null;
  const anchors = new Set<string>();
  for (const text of texts) {
    for (const line of (text ?? "").split("\n")) {
      const anchor = anchorOf(line);
      if (anchor === null) return null;
      if (anchor !== "") anchors.add(anchor.toLowerCase());
    }
  }
  const isPlain = texts.every((text) => text === "") && !repositories.has("folder");
  return isPlain ? "nothing" : anchors;
}

/** The name that a rule begins with; "" for a rule on a name alone; null where it may begin with several. */
function anchorOf(line: string): string | null {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return "";
  const rule = text.replace(/^!/, "").replace(/\/$/, "");
  const name = rule.replace(/^(?:\*\*\/)+/, "");
  if (!name.includes("/")) return "";
  if (name !== rule) return null;
  const first = rule.replace(/^\//, "").split("/")[0] ?? "";
  return first === "" || /[^\w.@ -]/.test(first) ? null : first;
}

function kindOf(path: string): "folder" | "other" | null {
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return null;
    return info.isDirectory() ? "folder" : "other";
  } catch {
    return "other";
  }
}

/** "" where there is none, null where it cannot be read. */
function textOf(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
      ? readFileSync(path, "utf8").replace(/^\uFEFF/, "")
      : "";
  } catch {
    return null;
  }
}
