import { spawn } from "node:child_process";
import { linkSync, readFileSync, writeFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closeFolder, openAllowed } from "../../../src/edit/commit/folder.ts";
import { namesBeside, type Step } from "../../../src/edit/commit/journal.ts";
import { undoStep } from "../../../src/edit/commit/undo.ts";
import { ground, hash, leftovers } from "./ground.ts";

/** Opens the file for writing, says so, and writes a moment later. */
const WRITER = `const fs = require("node:fs"); const fd = fs.openSync(process.argv[1], "r+");
  console.log("open"); setTimeout(() => { fs.writeSync(fd, "theirs", 0); fs.closeSync(fd); }, 150);`;

test.skipIf(process.platform !== "linux")(
  "what somebody writes to a version while it is taken back is kept, and told",
  async () => {
    const g = await ground({ "a.txt": "old\n" });
    const folder = await openAllowed(g.policy, g.root);
    onTestFinished(() => closeFolder(folder));
    const step: Step = {
      way: "rename",
      base: { path: folder.realPath, dev: folder.dev, ino: folder.ino },
      below: [],
      name: "a.txt",
      ...namesBeside(),
      before: hash("old\n"),
      after: hash("ours ours\n"),
      sizes: { before: 4, after: 10 },
      mode: null,
      stretch: null,
    };
    const [file, kept, staged] = [step.name, step.kept, step.staged].map((name) => join(g.root, name));
    linkSync(file as string, kept as string);
    writeFileSync(staged as string, "ours ours\n");
    renameSync(staged as string, file as string);
    const writer = spawn(process.execPath, ["-e", WRITER, file as string], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void writer.kill("SIGKILL"));
    await new Promise((resolve) => writer.stdout.once("data", resolve));

    const undone = await undoStep({ env: g.env, folder, step, stretch: null, open: () => null });

    expect(g.text("a.txt")).toBe("old\n");
    const [rescued = ""] = leftovers(g);
    expect(undone).toMatchObject({ said: expect.stringContaining(rescued), replaced: false });
    expect(readFileSync(join(g.env["QUARRY_CACHE_DIR"] as string, rescued), "utf8")).toBe("theirsurs\n");
  },
);
