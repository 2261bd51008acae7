/** What Boris's grep and glob look at, whichever is asked. */
import type { AgentScope } from "../../tools/agent-scope.ts";

/** Folders that are not entered unless a path names them. */
const SKIPPED = [".git", "node_modules"];

export const BORIS_SCOPE: AgentScope = { exclude: SKIPPED, ignore: "everywhere", hidden: true };
