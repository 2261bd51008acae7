/** What a server was started with, whichever way in: put together by the command line. */
import type { DialectName } from "../dialects/dialects.ts";
import type { IndexUse } from "../index/settings.ts";

export interface McpOptions {
  /** The folder that paths are relative to, unless a client names roots. */
  readonly root: string;
  /** What may be touched; null: the root, or the client's roots inside it. */
  readonly allow: readonly string[] | null;
  /** Where the folders really are that the working folder's own settings leave: what leads elsewhere later is none. */
  readonly within?: readonly string[] | undefined;
  readonly deny: readonly string[];
  readonly dialect: DialectName;
  readonly anthropicCompat: boolean;
  readonly readOnly: boolean;
  readonly disabledTools: readonly string[];
  readonly maxFileSize: number | null;
  /** @default as the environment says */
  readonly index?: IndexUse | undefined;
  /** Answers carry their details as structured content too. */
  readonly structured: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
}
