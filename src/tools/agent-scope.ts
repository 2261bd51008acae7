import type { Scope } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import type { Session } from "../workspace/session.ts";
import type { Place } from "./places.ts";

/** What an agent's call says of its scope; the rest is as for everybody. */
export type AgentScope = Partial<Omit<Scope, "root" | "targets" | "engine">>;

/** The folders of an agent's call as a scope of the engine: unless it says otherwise, links are not followed. */
export function agentScope(session: Session, places: readonly Place[], wanted: AgentScope): Scope {
  return {
    include: [],
    includeNames: false,
    exclude: DEFAULTS.vcsFolders,
    types: [],
    typeGlobs: [],
    ignore: DEFAULTS.scope.ignore,
    hidden: true,
    links: "skip",
    maxFileSize: null,
    ...wanted,
    root: session.root,
    targets: places.flatMap((place) => (place.kind === "folder" ? [place.target] : [])),
    engine: DEFAULTS.scope.engine,
  };
}
