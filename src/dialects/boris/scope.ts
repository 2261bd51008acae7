/** What Boris's grep and glob look at, whichever is asked. */
import type { Scope } from "../../model/query.ts";

/** Two folders are not entered unless a path names them; links to folders are followed, each target once. */
export const BORIS_SCOPE: Pick<Scope, "exclude" | "ignore" | "hidden" | "links"> = {
  exclude: [".git/", "node_modules/"],
  ignore: "everywhere",
  hidden: true,
  links: "once",
};
