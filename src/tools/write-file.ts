import { createHash } from "node:crypto";
import { commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { generatedMark } from "../edit/generated.ts";
import { wantsExecutable } from "../edit/shebang.ts";
import { count, grouped } from "../format/count.ts";
import { ToolError } from "../model/errors.ts";
import type { Written } from "../model/written.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import { openFile } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";
import { encodeText } from "../workspace/text-lines.ts";
import { type EditGround, tryAgain } from "./agent-edit.ts";
import type { FileTarget } from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";

/** A whole file, written anew or for the first time, with the folders above it. */
export async function writeFile(
  session: Session,
  target: FileTarget,
  content: string,
  ground: EditGround,
): Promise<Written> {
  const bytes = encodeText(content, "utf-8");
  if (bytes === null) {
    throw new ToolError("ENCODING_UNKNOWN", `The content for ${target.label} holds half a character`, {
      hint: "Write the character whole",
    });
  }
  refuseCells(target.label, content);
  const { realPath } = await target.policy.check(target.path);
  const written = await withFiles([realPath], ground, () =>
    tryAgain(() => replace(target, bytes, wantsExecutable(content), ground)),
  );
  const key = target.url ?? written.realPath;
  session.conflicts.forget(key);
  const snapshots = [];
  if (bytes.length <= TAGGED_FILE) {
    const snapshot = session.snapshots.record(key, bytes);
    // Whoever wrote it knows every line.
    snapshot.show([{ first: 1, last: lines(content) }]);
    snapshots.push({ label: target.label, tag: snapshot.tag });
  }
  const verb = written.created ? "Created" : "Wrote";
  return {
    ...written,
    label: target.label,
    message: `${verb} ${target.label}: ${grouped(bytes.length)} ${bytes.length === 1 ? "byte" : "bytes"}, ${count(lines(content), "line")}`,
    snapshots,
  };
}

/** What read shows of a notebook is not what is in it. */
function refuseCells(label: string, content: string): void {
  if (!label.toLowerCase().endsWith(".ipynb") || !/^\s*# %% \[\w+\]/.test(content)) return;
  throw new ToolError("NOTEBOOK_INVALID", `The content is cells as they are shown, and ${label} holds JSON`, {
    hint: "Use edit with the tag that read gives for its cells",
  });
}

export function lines(content: string): number {
  const ends = content.split("\n").length;
  return content === "" || content.endsWith("\n") ? ends - 1 : ends;
}

async function replace(
  { label, path, policy }: FileTarget,
  after: Buffer,
  executable: boolean,
  { env, signal }: EditGround,
): Promise<Pick<Written, "created" | "madeExecutable" | "warnings"> & { readonly realPath: string }> {
  const there = await policy.check(path);
  const old = there.kind === null ? null : await lookAt(path, policy, label);
  const makes = executable && (old === null || (old.mode & 0o111) === 0);
  const [written] = await commit(
    [{ path: there.path, policy, before: old?.hash ?? null, after, ...(makes ? { executable: true } : {}) }],
    env,
    signal,
  );
  return {
    created: old === null,
    madeExecutable: makes,
    realPath: written?.realPath ?? there.realPath,
    warnings: lostVersion(label, written),
  };
}

/** What is about to be overwritten. Its hash is taken without holding it. */
async function lookAt(
  path: string,
  policy: FileTarget["policy"],
  label: string,
): Promise<{ readonly hash: string; readonly mode: number }> {
  const opened = await openFile(policy, path);
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(256 * 1024);
    let beginning: Buffer | null = null;
    for (let at = 0; ; ) {
      const { bytesRead } = await opened.handle.read(chunk, 0, chunk.length, at);
      beginning ??= Buffer.from(chunk.subarray(0, bytesRead));
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      at += bytesRead;
    }
    const mark = generatedMark(beginning, label);
    if (mark !== null) throw generated(label, mark);
    return { hash: hash.digest("hex"), mode: opened.stat.mode };
  } finally {
    await opened.handle.close();
  }
}

function generated(label: string, mark: string): ToolError {
  return new ToolError("GENERATED_FILE", `${label} is generated: ${JSON.stringify(mark)}`, {
    hint: "Change what it is generated from; edit can still change single lines of it",
  });
}
