/** What Boris's `grep` answers is what ripgrep prints, up to Boris's own rules. Called by `grep-law.ts`. */
import { expect } from "vitest";
import { AGENT_TEXT } from "../../src/model/limits.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { borisInput, type ExpectedPage, expectedOfBoris } from "./boris-grep-oracle.ts";
import { expectText, type Layout, wholeText } from "./grep-answer.ts";
import type { GrepCall } from "./grep-calls.ts";
import { shortened } from "./long-lines.ts";
import { cacheEnv } from "./workspaces.ts";

export interface BorisLaw {
  /** Whether anything was found. */
  readonly holds: (call: GrepCall) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export async function borisLaw(roots: readonly string[]): Promise<BorisLaw> {
  const grounds = await Promise.all(
    roots.map(async (root) => {
      const env = cacheEnv();
      const cache = env["QUARRY_CACHE_DIR"] ?? "";
      return { root, cache, workspace: await createWorkspace({ root, dialect: "boris", env }) };
    }),
  );
  return {
    holds: async (call) => {
      const ground = grounds.find(({ root }) => root === call.root);
      if (ground === undefined) throw new Error(`No workspace in ${call.root}`);
      const { cache, workspace } = ground;
      const [result, page] = await Promise.all([
        workspace.tools.grep(borisInput(call)),
        expectedOfBoris(call),
      ]);
      const answered = wholeText(result, cache).split("\n\n", 1).join("").split("\n");
      const lines = await shortened(call, page, answered);
      const isOurs = (note: string): boolean => note.startsWith("[There is more. ");
      const { details, shown } = expectText(result, layoutOf(page, lines), {
        cap: AGENT_TEXT,
        isOurs,
        cache,
      });
      expect(details).toMatchObject(detailsOf(page, shown));
      return page.lines.length > 0;
    },
    close: async () => {
      for (const { workspace } of grounds) await workspace.close();
    },
  };
}

function layoutOf({ mode, nextOffset }: ExpectedPage, lines: readonly string[]): Layout {
  const nothing = mode === "files_with_matches" ? "No files found" : "No matches found";
  return {
    heading: lines.length === 0 ? [nothing] : [],
    lines,
    closing: nextOffset === null ? [] : [`[There is more. Use offset=${nextOffset} for the next page]`],
  };
}

function detailsOf({ mode, files, rows, nextOffset }: ExpectedPage, shown: number): object {
  return {
    mode,
    files: files.slice(0, shown).map(({ path, count }) => ({ path, ...(mode === "count" ? { count } : {}) })),
    matchingLines: rows.slice(0, shown).filter((row) => row?.hit === true).length,
    nextOffset,
  };
}
