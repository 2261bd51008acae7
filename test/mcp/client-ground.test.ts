/** What a client's ground makes of roots that change while they are taken. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import type { Asked } from "../../src/mcp/client-roots.ts";
import type { McpOptions } from "../../src/mcp/options.ts";
import { tree } from "../support/tree.ts";

function groundOf(root: string): ClientGround {
  const options: McpOptions = {
    root,
    allow: null,
    deny: [],
    dialect: "quarry",
    anthropicCompat: false,
    readOnly: true,
    disabledTools: [],
    maxFileSize: null,
    structured: false,
    env: process.env,
    version: "0",
  };
  return new ClientGround(options, () => {});
}

/** What a client says that tells of changes. */
function named(root: string, folder: string): Asked {
  return { roots: [{ uri: pathToFileURL(join(root, folder)).href }], tellsChanges: true };
}

test("Roots that change while they are taken are asked for again", async () => {
  const root = tree({ "one/a": "", "two/b": "" });
  const ground = groundOf(root);
  const taking = ground.roots.take(named(root, "one"));
  ground.roots.forget();
  await taking;
  expect(ground.roots.areMissing).toBe(true);
  await ground.close();
});

test("The last roots that were named count, whichever were looked at first", async () => {
  const root = tree({ "one/a": "", "two/b": "" });
  const ground = groundOf(root);
  await Promise.all(["one", "two"].map((folder) => ground.roots.take(named(root, folder))));
  expect(await ground.use(undefined, async (workspace) => workspace.root)).toBe(join(root, "two"));
  await ground.close();
});
