/** What Claude's `Grep` answers is what the command line prints that it stands for. Called by `grep-law.ts`. */
import { expect } from "vitest";
import { CLAUDE_TEXT } from "../../src/model/limits.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { claudeInput, type ExpectedPage, expectedOfClaude } from "./claude-grep-oracle.ts";
import { expectText, type Layout } from "./grep-answer.ts";
import type { GrepCall } from "./grep-calls.ts";
import { cacheEnv } from "./workspaces.ts";

export type Order = "mtime" | "path";

export interface ClaudeLaw {
  /** Whether anything was found. */
  readonly holds: (call: GrepCall, order: Order) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export async function claudeLaw(roots: readonly string[]): Promise<ClaudeLaw> {
  const opened = roots.flatMap((root) =>
    (["mtime", "path"] as const).map(async (order) => {
      const env: NodeJS.ProcessEnv = { ...cacheEnv(), NODE_ENV: order === "path" ? "test" : "production" };
      const cache = env["QUARRY_CACHE_DIR"] ?? "";
      return { root, order, cache, workspace: await createWorkspace({ root, dialect: "claude", env }) };
    }),
  );
  const grounds = await Promise.all(opened);
  return {
    holds: async (call, order) => {
      const ground = grounds.find((one) => one.root === call.root && one.order === order);
      if (ground === undefined) throw new Error(`No workspace in ${call.root}`);
      const input = claudeInput(call);
      const [result, page] = await Promise.all([
        ground.workspace.tools.Grep(input),
        expectedOfClaude(call, order),
      ]);
      const isOurs = (note: string): boolean => note.startsWith("[Showing results with pagination = ");
      const { details, shown } = expectText(result, layoutOf(page), {
        cap: CLAUDE_TEXT,
        isOurs,
        cache: ground.cache,
      });
      const { mode, filenames, numFiles, content, numLines, numMatches, appliedLimit, appliedOffset } =
        details;
      expect({
        mode,
        filenames,
        numFiles,
        content,
        numLines,
        numMatches,
        appliedLimit,
        appliedOffset,
      }).toEqual(detailsOf(page, shown));
      return page.lines.length > 0;
    },
    close: async () => {
      for (const { workspace } of grounds) await workspace.close();
    },
  };
}

function layoutOf(page: ExpectedPage): Layout {
  const { mode, lines, files } = page;
  const found = mode === "files_with_matches" ? [`Found ${many(lines.length, "file")}`] : [];
  const nothing = mode === "files_with_matches" ? "No files found" : "No matches found";
  const totals = `Found ${many(sum(files), "total occurrence")} across ${many(files.length, "file")}.`;
  const pagination = [
    ...(page.limit === null ? [] : [`limit: ${page.limit}`]),
    ...(page.offset === 0 ? [] : [`offset: ${page.offset}`]),
  ];
  return {
    heading: lines.length === 0 ? [nothing] : found,
    lines,
    closing: [
      ...(mode === "count" ? [totals] : []),
      ...(pagination.length === 0 ? [] : [`[Showing results with pagination = ${pagination.join(", ")}]`]),
    ],
  };
}

function detailsOf({ mode, lines, files, limit, offset }: ExpectedPage, shown: number): object {
  const listed = files.slice(0, shown);
  const content = lines.slice(0, shown).join("\n");
  return {
    mode,
    filenames: mode === "files_with_matches" ? listed.map(({ path }) => path) : [],
    numFiles: listed.length,
    ...(mode === "files_with_matches" ? {} : { content }),
    ...(mode === "content" ? { numLines: shown } : {}),
    ...(mode === "count" ? { numMatches: sum(listed) } : {}),
    ...(limit === null ? {} : { appliedLimit: limit }),
    ...(offset === 0 ? {} : { appliedOffset: offset }),
  };
}

function sum(files: ExpectedPage["files"]): number {
  return files.reduce((all, { count }) => all + count, 0);
}

function many(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}
