import { expect, it } from "vitest";
import { find, search } from "../../src/quarry.ts";
import { FOLDER, tree } from "../support/tree.ts";

/** BurntSushi/ripgrep#3376: with several folders, ripgrep 15.0 misapplies the ignore files above them. */
it("folders named together each keep the ignore rules above them", async () => {
  const root = tree({
    ".git": FOLDER,
    ".gitignore": "/partly/*\n!/partly/kept\n",
    "partly/kept/x": "needle\n",
    "partly/lost/x": "needle\n",
    "partly/y": "needle\n",
    empty: FOLDER,
  });
  for (const paths of [["partly"], ["partly", "empty"], ["empty", "partly"]]) {
    const found = await find({ root, paths, kinds: "files" }).collect();
    expect(found.hits.map(({ path }) => path)).toEqual(["partly/kept/x"]);
    const searched = await search({ root, paths, pattern: "needle" }).collect();
    expect(searched.hits.map(({ path }) => path)).toEqual(["partly/kept/x"]);
  }
});
