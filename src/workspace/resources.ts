/**
 * What stands behind internal URLs, for programs that hand it on whole: an MCP server's resources, a screen. A model
 * reads the same through the tools, page by page.
 */
import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import { openFile, readWhole } from "./open.ts";
import type { Router } from "./urls.ts";

export interface Resources {
  /** Every URL there is, by protocol. */
  readonly list: () => Promise<readonly ResourceEntry[]>;
  /** The text behind a URL; of several, their URLs. @throws ToolError */
  readonly read: (url: string) => Promise<string>;
  /** URLs that begin so. */
  readonly complete: (prefix: string) => Promise<readonly string[]>;
}

export interface ResourceEntry {
  readonly url: string;
  readonly description: string;
}

export function resourcesOf(router: Router): Resources {
  return {
    list: async () => {
      const all = await Promise.all(
        router.protocols.map(async (protocol) =>
          (await protocol.list()).map((url) => ({ url, description: protocol.description })),
        ),
      );
      return all.flat();
    },
    read: async (url) => {
      const resource = await router.resolve(url);
      if (resource.kind === "text") return resource.text;
      if (resource.kind === "many") return resource.urls.join("\n");
      const opened = await openFile(resource.policy, resource.path);
      try {
        const bytes = await readWhole(opened, TAGGED_FILE);
        if (bytes !== null) return bytes.toString("utf8");
        throw new ToolError("FILE_TOO_LARGE", `${url} is too large to be handed on whole`, {
          hint: "Read it by lines",
        });
      } finally {
        await opened.handle.close();
      }
    },
    complete: (prefix) => router.complete(prefix),
  };
}
