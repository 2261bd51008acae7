/** What a client and its model are told of their ground: roots that are left out, broad folders, faults. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ownerName, thisProcess } from "../../src/workspace/owner.ts";
import { broadness } from "../../src/mcp/broad-folder.ts";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import { instructions } from "../../src/mcp/hello.ts";
import { MCP_ROOTS_TOLD } from "../../src/model/limits.ts";
import { standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { CLIENTS, converse, type Step } from "./clients.ts";
import { OPTIONS } from "./http-server.ts";
import { Wire } from "./wire.ts";

const uri = (path: string): { uri: string } => ({ uri: pathToFileURL(path).href });

const SEARCH: Step = { do: "call", name: "search", arguments: { pattern: "needle", mode: "files" } };

describe("roots that are left out", () => {
  test.each(CLIENTS)("are told to the model of %s once, behind the answer", async (_, library, transport) => {
    const all = tree({ "in/a.txt": "needle\n", "out/b.txt": "needle\n" });
    const { results } = await converse(library, transport, {
      flags: ["--workdir", join(all, "in")],
      roots: [uri(join(all, "out")), uri(join(all, "in")), uri(join(all, "nowhere"))],
      steps: [SEARCH, SEARCH, SEARCH],
    });
    const note = `Note: of the client's roots these are not used: ${uri(join(all, "out")).uri} (it lies outside what --allow-dir permits), ${uri(join(all, "nowhere")).uri} (it is not there). The tools work in ${join(all, "in")}.`;
    const answer = { type: "text", text: "a.txt" };
    expect(results.map(({ content }) => content)).toEqual([
      [answer, { type: "text", text: note }],
      [answer],
      [answer],
    ]);
  });

  test("are told again when others are left out, and not when the same are", async () => {
    const root = tree({ "in/a": "", "two/b": "" });
    const warnings: string[] = [];
    const ground = new ClientGround({ ...OPTIONS, root: join(root, "in") }, (text) => warnings.push(text));
    const take = async (...folders: string[]): Promise<number> => {
      ground.roots.forget();
      const roots = folders.map((folder) => uri(join(root, folder)));
      await ground.roots.take({ roots, tellsChanges: true });
      return ground.news.takeNotices().length;
    };
    expect(await take("in", "two")).toBe(1);
    expect(await take("in", "two")).toBe(0);
    expect(await take("in")).toBe(0);
    expect(await take("in", "two")).toBe(1);
    expect(await take("nowhere", "two")).toBe(1);
    expect(warnings).toHaveLength(3);
    await ground.close();
  });

  test("are told in few words, whatever their names", async () => {
    const root = tree({});
    const ground = new ClientGround({ ...OPTIONS, root }, () => {});
    const roots = Array.from({ length: 40 }, (_, at) => ({
      uri: `file:///${at}\n\u202e${"x".repeat(5000)}`,
    }));
    await ground.roots.take({ roots, tellsChanges: true });
    const [notice = ""] = ground.news.takeNotices();
    expect(notice).toContain(` and ${33 - MCP_ROOTS_TOLD} more. The tools work in`);
    expect(notice.length).toBeLessThan(2000);
    expect(notice).not.toMatch(/[\n\u202e]/);
    await ground.close();
  });
});

describe("a broad working folder", () => {
  const home = (folder: string): NodeJS.ProcessEnv => ({ ...process.env, HOME: folder });

  test("is the root of a file system, the home folder, and what holds it, links resolved", () => {
    const root = tree({ "home/me/project/a": "" });
    const me = join(root, "home/me");
    symlinkSync(me, join(root, "link"));
    expect(broadness("/", home(me))).toBe("the root of the file system");
    expect(broadness(me, home(me))).toBe("the home folder");
    expect(broadness(join(root, "link"), home(me))).toBe("the home folder");
    expect(broadness(me, home(join(root, "link")))).toBe("the home folder");
    expect(broadness(join(root, "home"), home(me))).toBe("a folder that holds the home folder");
    expect(broadness(join(me, "project"), home(me))).toBeNull();
    mkdirSync(join(root, "home/me2"));
    expect(broadness(join(root, "home/me2"), home(me))).toBeNull();
  });

  test("is warned of in the log, the instructions and the first answer, and is served", async () => {
    const root = tree({ "a.txt": "needle\n" });
    const wire = new Wire({ cwd: root, env: home(root) });
    const hello = await wire.initialize();
    expect(hello?.result?.["instructions"]).toContain("paths begin in the home folder");
    const search = { name: "search", arguments: { pattern: "needle", mode: "files" } };
    const note = `Note: the tools work in ${root}, the home folder: name the folders to look in, or an answer takes long.`;
    expect((await wire.request(1, "tools/call", search))?.result?.["content"]).toEqual([
      { type: "text", text: "a.txt" },
      { type: "text", text: note },
    ]);
    expect((await wire.request(2, "tools/call", search))?.result?.["content"]).toHaveLength(1);
    await wire.end();
    expect(wire.stderr).toContain(` warn The working folder ${root} is the home folder; name a project`);
  });

  test("is nobody's concern who has a root", async () => {
    const root = tree({ "project/a.txt": "needle\n" });
    const env = home(root);
    const ground = new ClientGround({ ...OPTIONS, root, env }, () => {});
    await ground.roots.take({ roots: [uri(join(root, "project"))], tellsChanges: true });
    await ground.use(undefined, async () => {});
    expect(ground.news.takeNotices()).toEqual([]);
    await ground.close();
  });

  test.each(["quarry", "claude", "boris"] as const)("leaves the instructions of %s short", (dialect) => {
    const words = instructions({ ...OPTIONS, root: "/", dialect }).split(/\s+/);
    expect(words.length).toBeLessThanOrEqual(150);
    expect(words.join(" ")).toContain("paths begin in the root of the file system");
  });
});

describe("log messages", () => {
  const SAID = ({ method }: { readonly method?: string }): boolean => method === "notifications/message";
  const search = { name: "search", arguments: { pattern: "needle" } };

  test("tell a client that asked of what failed inside, and no other", async () => {
    const rg = standIn("echo broken >&2; exit 7");
    for (const level of ["error", "critical"]) {
      const wire = new Wire({ cwd: tree({ "a.txt": "needle\n" }), env: rg.env });
      await wire.initialize();
      await wire.request(1, "logging/setLevel", { level });
      const answer = await wire.request(2, "tools/call", search);
      expect(answer?.result).toMatchObject({ isError: true });
      await wire.end();
      const said = wire.messages.filter(SAID).map(({ params }) => params);
      expect(said.map((params) => params?.["level"])).toEqual(level === "error" ? ["error"] : []);
      expect(said.every((params) => /^search failed: \[[A-Z_0-9]+\] /.test(String(params?.["data"])))).toBe(
        true,
      );
    }
  });

  test("tell of what became of a write that never ended", async () => {
    const cache = tree();
    const folder = join(cache, "journal");
    mkdirSync(folder, { mode: 0o700 });
    // Its process is long gone.
    const owner = ownerName({ ...thisProcess(), pid: 2 ** 22 + 1 });
    writeFileSync(join(folder, `${owner}-0123456789ab.commit`), "damaged");
    const wire = new Wire({ cwd: tree({ "a.txt": "needle\n" }), env: { QUARRY_CACHE_DIR: cache } });
    await wire.initialize();
    await wire.request(1, "logging/setLevel", { level: "warning" });
    await wire.request(2, "tools/call", search);
    await wire.end();
    expect(wire.messages.filter(SAID).map(({ params }) => params)).toMatchObject([
      { level: "warning", data: expect.stringContaining("is damaged and was not followed") as unknown },
    ]);
    expect(wire.stderr).toContain(" warn The journal of a commit");
  });
});
