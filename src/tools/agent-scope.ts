import type { Scope } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import type { Session } from "../workspace/session.ts";
import type { Place } from "./places.ts";

/** The folders of an agent's call as a scope of the engine: links are not followed, version control is left out. */
export function agentScope(
  session: Session,
  places: readonly Place[],
  wanted: Pick<Scope, "types" | "hidden" | "maxFileSize"> & { readonly gitignore: boolean },
): Scope {
  const { gitignore, ...rest } = wanted;
  return {
    ...rest,
    root: session.root,
    targets: places.flatMap((place) => (place.kind === "folder" ? [place.target] : [])),
    include: [],
    includeNames: false,
    exclude: DEFAULTS.vcsFolders,
    typeGlobs: [],
    ignore: gitignore ? DEFAULTS.scope.ignore : "off",
    follow: false,
    engine: DEFAULTS.scope.engine,
  };
}
