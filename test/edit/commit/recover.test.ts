import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Journal, namesBeside, type Step } from "../../../src/edit/commit/journal.ts";
import { ownerName, thisProcess } from "../../../src/workspace/owner.ts";
import { isTorn, joined, stretchOf } from "../../../src/edit/commit/ranges.ts";
import { recoverJournals } from "../../../src/edit/commit/recover.ts";
import { openAllowed } from "../../../src/edit/commit/folder.ts";
import { type Ground, ground, hash, leftovers } from "./ground.ts";

/** A step whose file has this content and shall have that one. */
async function stepFor(g: Ground, name: string, before: string | null, after: string): Promise<Step> {
  const { realPath, dev, ino } = await openAllowed(g.policy, g.root);
  return {
    way: before === null ? "create" : "rename",
    base: { path: realPath, dev, ino },
    below: [],
    name,
    ...namesBeside(),
    before: before === null ? null : hash(before),
    after: hash(after),
    sizes: { before: before?.length ?? 0, after: after.length },
    mode: null,
    stretch: null,
  };
}

/** As a process leaves it that dies right after the commit point. */
async function cutOff(g: Ground, step: Step, after: string): Promise<void> {
  const journal = await Journal.begin(g.env, [step]);
  writeFileSync(join(g.root, step.staged), after);
  if (step.way === "rename") linkSync(join(g.root, step.name), join(g.root, step.kept));
  await journal.commit([step]);
  journal.leave();
}

function journalOf(g: Ground): string {
  return join(g.env["QUARRY_CACHE_DIR"] as string, "journal");
}

describe("a commit that was cut off after its commit point", () => {
  test("is finished", async () => {
    const g = await ground({ "a.txt": "old\n" });
    await cutOff(g, await stepFor(g, "a.txt", "old\n", "new\n"), "new\n");
    await cutOff(g, await stepFor(g, "b.txt", null, "made\n"), "made\n");
    expect(await recoverJournals(g.env)).toHaveLength(2);
    expect([g.text("a.txt"), g.text("b.txt")]).toEqual(["new\n", "made\n"]);
    expect(leftovers(g)).toEqual([]);
    expect(await recoverJournals(g.env)).toEqual([]);
  });

  test("leaves a file alone that somebody else has changed, and says where the bytes are", async () => {
    const g = await ground({ "a.txt": "old\n" });
    await cutOff(g, await stepFor(g, "a.txt", "old\n", "new\n"), "new\n");
    await cutOff(g, await stepFor(g, "b.txt", null, "made\n"), "made\n");
    writeFileSync(join(g.root, "a.txt"), "theirs\n");
    writeFileSync(join(g.root, "b.txt"), "theirs too\n");
    const words = (await recoverJournals(g.env)).join("\n");
    expect([g.text("a.txt"), g.text("b.txt")]).toEqual(["theirs\n", "theirs too\n"]);
    const rescued = leftovers(g);
    expect(
      rescued.map((name) => readFileSync(join(g.env["QUARRY_CACHE_DIR"] as string, name), "utf8")).toSorted(),
    ).toEqual(["made\n", "new\n"]);
    for (const name of rescued) expect(words).toContain(basename(name));
  });

  test("rescues what was written to the old file after it was replaced", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const step = await stepFor(g, "a.txt", "old\n", "new\n");
    await cutOff(g, step, "new\n");
    renameSync(join(g.root, step.staged), join(g.root, "a.txt"));
    writeFileSync(join(g.root, step.kept), "old\nlate\n");
    await recoverJournals(g.env);
    expect(g.text("a.txt")).toBe("new\n");
    const [rescued = ""] = leftovers(g);
    expect(readFileSync(join(g.env["QUARRY_CACHE_DIR"] as string, rescued), "utf8")).toBe("old\nlate\n");
  });

  test("is not followed when its folder is another one, and not through a link", async () => {
    const g = await ground({ "sub/a.txt": "old\n", "other/a.txt": "old\n" });
    const step = await stepFor(g, "a.txt", "old\n", "new\n");
    const { dev, ino } = await openAllowed(g.policy, join(g.root, "sub"));
    const moved: Step = { ...step, base: { path: join(g.root, "sub"), dev, ino } };
    const journal = await Journal.begin(g.env, [moved]);
    await journal.commit([moved]);
    journal.leave();
    renameSync(join(g.root, "sub"), join(g.root, "gone"));
    symlinkSync(join(g.root, "other"), join(g.root, "sub"));
    writeFileSync(join(g.root, "other", step.staged), "new\n");
    expect((await recoverJournals(g.env)).join()).toContain("cannot be settled");
    expect(g.text("other/a.txt")).toBe("old\n");
    // It stays, in case the folder comes back.
    expect(readdirSync(journalOf(g))).not.toEqual([]);
  });

  test("is not followed when it is damaged or leads out of its folder", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const step = await stepFor(g, "a.txt", "old\n", "new\n");
    await cutOff(g, step, "new\n");
    const name = readdirSync(journalOf(g)).find((entry) => entry.endsWith(".commit")) ?? "";
    const text = readFileSync(join(journalOf(g), name), "utf8");
    writeFileSync(join(journalOf(g), name), text.replace('"a.txt"', '"b.txt"'));
    expect((await recoverJournals(g.env)).join()).toContain("damaged");
    expect(g.text("a.txt")).toBe("old\n");
    const bad: Step = { ...step, name: "../a.txt" };
    const journal = await Journal.begin(g.env, [bad]);
    await journal.commit([bad]);
    journal.leave();
    expect((await recoverJournals(g.env)).join()).toContain("damaged");
  });

  test.skipIf(process.platform !== "linux")(
    "is left alone while its process lives, and not when another has its number",
    async () => {
      const g = await ground({ "a.txt": "old\n" });
      await cutOff(g, await stepFor(g, "a.txt", "old\n", "new\n"), "new\n");
      const child = spawn("sleep", ["1000"]);
      onTestFinished(() => void child.kill("SIGKILL"));
      const pid = child.pid as number;
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] as string;
      const own = ownerName(thisProcess());
      const give = (from: string, to: string): void => {
        for (const name of readdirSync(journalOf(g))) {
          renameSync(join(journalOf(g), name), join(journalOf(g), name.replace(from, to)));
        }
      };
      const alive = ownerName({ ...thisProcess(), pid, start });
      give(own, alive);
      expect(await recoverJournals(g.env)).toEqual([]);
      expect(g.text("a.txt")).toBe("old\n");
      give(alive, ownerName({ ...thisProcess(), pid, start: `${start}1` }));
      expect(await recoverJournals(g.env)).toHaveLength(1);
      expect(g.text("a.txt")).toBe("new\n");
    },
  );

  test("is finished once by two who come at the same time", async () => {
    const g = await ground({ "a.txt": "old\n" });
    await cutOff(g, await stepFor(g, "a.txt", "old\n", "new\n"), "new\n");
    const words = await Promise.all([recoverJournals(g.env), recoverJournals(g.env), recoverJournals(g.env)]);
    expect(words.flat()).toHaveLength(1);
    expect(g.text("a.txt")).toBe("new\n");
    expect(leftovers(g)).toEqual([]);
  });

  test("is not looked for in a folder that others may write to", async () => {
    const g = await ground({ "a.txt": "old\n" });
    await cutOff(g, await stepFor(g, "a.txt", "old\n", "new\n"), "new\n");
    chmodSync(journalOf(g), 0o777);
    await expect(recoverJournals(g.env)).rejects.toMatchObject({ code: "CACHE_UNSAFE" });
    expect(g.text("a.txt")).toBe("old\n");
  });
});

describe("a commit that was cut off before its commit point", () => {
  test("leaves nothing: staged files and folders that were made go", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const step = await stepFor(g, "a.txt", "old\n", "new\n");
    const made: Step = { ...(await stepFor(g, "c.txt", null, "new\n")), below: ["x", "y"] };
    const journal = await Journal.begin(g.env, [step, made]);
    writeFileSync(join(g.root, step.staged), "half");
    mkdirSync(join(g.root, "x/y"), { recursive: true });
    writeFileSync(join(g.root, "x/y", made.staged), "half");
    journal.leave();
    expect(await recoverJournals(g.env)).toEqual([]);
    expect(readdirSync(g.root)).toEqual(["a.txt"]);
    expect(leftovers(g)).toEqual([]);
  });
});

describe("nothing to recover", () => {
  test("makes no folder", async () => {
    const g = await ground({});
    expect(await recoverJournals(g.env)).toEqual([]);
    expect(existsSync(journalOf(g))).toBe(false);
  });
});

describe("an in-place write that was cut off", () => {
  const before = Buffer.from(Array.from({ length: 3000 }, (_, line) => `line ${line}\n`).join(""));
  const same = Buffer.from(
    before.toString().replace("line 700\n", "LINE 700\n").replace("line 2500\n", "LINE 2500\n"),
  );
  const longer = Buffer.from(before.toString().replace("line 700\n", "a longer line 700\n"));
  const shorter = Buffer.from(before.toString().replace("line 700\n", "700\n"));

  test.each([
    ["same", same],
    ["longer", longer],
    ["shorter", shorter],
  ] as const)("is known at every length: %s", (_, after) => {
    const stretch = stretchOf(before, after);
    const sizes = { before: before.length, after: after.length };
    const unknown: number[] = [];
    for (let done = 0; done <= stretch.new.length; done += 97) {
      const end = stretch.offset + done;
      const torn = Buffer.concat([after.subarray(0, end), before.subarray(end)]);
      if (!isTorn(torn, stretch, sizes) || !joined(torn, stretch).equals(after)) unknown.push(done);
    }
    expect(unknown).toEqual([]);
    const foreign = Buffer.from(before);
    foreign.write("somebody else's", stretch.offset);
    expect(isTorn(foreign, stretch, sizes)).toBe(false);
    expect(isTorn(Buffer.concat([longer, Buffer.from("more")]), stretch, sizes)).toBe(false);
  });
});
