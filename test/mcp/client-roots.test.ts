/** A client is asked for its roots once, by whichever call comes first, and again where that call was ended. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import { type Asked, ClientRoots, type Question } from "../../src/mcp/client-roots.ts";
import { tree } from "../support/tree.ts";
import { OPTIONS } from "./http-server.ts";
import { type Message, newest, Wire } from "./wire.ts";

const uri = (path: string): { uri: string } => ({ uri: pathToFileURL(path).href });

function rootsOf(root: string): ClientRoots {
  return new ClientRoots(
    { ...OPTIONS, root },
    { onChange: () => {}, onRefused: () => {}, onSilence: () => {} },
  );
}

/** A question whose answer is given later. */
function asking(): {
  readonly question: Question;
  readonly answer: (asked: Asked | null | "ended") => void;
  times: number;
} {
  let resolve: (asked: Asked | null | "ended") => void = () => {};
  const promise = new Promise<Asked | null | "ended">((settle) => {
    resolve = settle;
  });
  const one = {
    times: 0,
    question: () => {
      one.times += 1;
      return promise;
    },
    answer: (asked: Asked | null | "ended") => resolve(asked),
  };
  return one;
}

describe("the roots of a client", () => {
  test("are asked for once by all calls that need them at the same time", async () => {
    const root = tree({ "one/a": "" });
    const roots = rootsOf(root);
    const [first, second] = [asking(), asking()];
    const both = [roots.ask(first.question), roots.ask(second.question)];
    first.answer({ roots: [uri(join(root, "one"))], tellsChanges: true });
    await Promise.all(both);
    expect([first.times, second.times]).toEqual([1, 0]);
    expect(roots.current).toMatchObject([{ path: join(root, "one") }]);
  });

  test("are asked for by the next call where the first was ended before the answer", async () => {
    const root = tree({ "one/a": "" });
    const roots = rootsOf(root);
    const [first, second] = [asking(), asking()];
    const both = [roots.ask(first.question), roots.ask(second.question)];
    second.answer({ roots: [uri(join(root, "one"))], tellsChanges: true });
    first.answer("ended");
    await Promise.all(both);
    expect(second.times).toBe(1);
    expect(roots.areMissing).toBe(false);
    expect(roots.current).toHaveLength(1);
  });

  test("that changed while they were asked for are asked for again", async () => {
    const root = tree({ "one/a": "", "two/b": "" });
    const roots = rootsOf(root);
    const answers = ["one", "two"];
    await roots.ask(async () => {
      const folder = answers.shift() ?? "";
      if (folder === "one") roots.forget();
      return { roots: [uri(join(root, folder))], tellsChanges: true };
    });
    expect(roots.current).toMatchObject([{ path: join(root, "two") }]);
  });

  test("that change all the time keep no call for ever", async () => {
    const roots = rootsOf(tree());
    let times = 0;
    await roots.ask(async () => {
      times += 1;
      roots.forget();
      return { roots: [], tellsChanges: true };
    });
    expect(times).toBe(3);
  });

  test("are not asked for again where the client does not say", async () => {
    const roots = rootsOf(tree());
    const one = asking();
    one.answer(null);
    await roots.ask(one.question);
    await roots.ask(one.question);
    expect(one.times).toBe(1);
  });
});

describe("what is said of roots", () => {
  test("names a few that are refused, each as far as a line goes", async () => {
    const warnings: string[] = [];
    const ground = new ClientGround({ ...OPTIONS, root: tree() }, (text) => void warnings.push(text));
    const roots = Array.from({ length: 30 }, (_, at) => ({ uri: `file:///${at}${"x".repeat(5000)}` }));
    await ground.roots.take({ roots, tellsChanges: true });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("; and 26 more");
    expect(warnings[0]?.length).toBeLessThan(1500);
  });

  test("tells the model once where the client does not name them", async () => {
    const root = tree();
    const ground = new ClientGround({ ...OPTIONS, root }, () => {});
    await ground.roots.ask(async () => null);
    ground.roots.forget();
    await ground.roots.ask(async () => null);
    expect(ground.news.takeNotices()).toEqual([
      `Note: the client has roots and did not name them when it was asked. The tools work in ${root}.`,
    ]);
  });
});

describe("over stdio", () => {
  const search = (id: number): object => ({
    id,
    method: "tools/call",
    params: { name: "search", arguments: { pattern: "needle", mode: "files" } },
  });
  const asks = ({ method }: Message): boolean => method === "roots/list";

  test("several first calls ask once, and all work in the roots", async () => {
    const root = tree({ "one/a.txt": "needle\n", "two/b.txt": "needle\n" });
    const wire = new Wire({ cwd: root });
    await wire.initialize({ roots: { listChanged: true } });
    wire.send(...[1, 2, 3, 4, 5].map(search));
    const asked = await wire.heard(asks);
    await wire.request(6, "ping");
    wire.send({ id: asked?.id, result: { roots: [uri(join(root, "one"))] } });
    for (const id of [1, 2, 3, 4, 5]) {
      expect((await wire.answer(id))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
    }
    expect(wire.messages.filter(asks)).toHaveLength(1);
  });

  test("a first call that is cancelled does not lose the roots for those that come after it", async () => {
    const root = tree({ "one/a.txt": "needle\n", "two/b.txt": "needle\n" });
    const wire = new Wire({ cwd: root });
    await wire.initialize({ roots: { listChanged: true } });
    wire.send(search(1));
    const first = await wire.heard(asks);
    wire.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await wire.request(2, "ping");
    wire.send(search(3));
    // Whether it is asked again or the first answer counts: both are answered.
    wire.send({ id: first?.id, result: { roots: [uri(join(root, "one"))] } });
    const second = await Promise.race([
      wire.heard((message) => asks(message) && message.id !== first?.id),
      wire.answer(3),
    ]);
    wire.send({ id: second?.id, result: { roots: [uri(join(root, "one"))] } });
    expect((await wire.answer(3))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
  });

  test("calls at once that bring other roots each work in their own", async () => {
    const root = tree({ "one/a.txt": "needle\n", "two/b.txt": "needle\n" });
    const wire = new Wire({ cwd: root });
    const bringing = (id: number, folder: string): object => ({
      id,
      method: "tools/call",
      params: {
        name: "search",
        arguments: { pattern: "needle", mode: "files" },
        inputResponses: { roots: { roots: [uri(join(root, folder))] } },
        _meta: newest({ roots: {} }),
      },
    });
    // More than have a turn at once.
    const ids = Array.from({ length: 24 }, (_, at) => at + 1);
    wire.send(...ids.map((id) => bringing(id, id % 2 === 0 ? "one" : "two")));
    const answers = await Promise.all(ids.map((id) => wire.answer(id)));
    expect(answers.map((answer) => answer?.result?.["content"])).toEqual(
      ids.map((id) => [{ type: "text", text: id % 2 === 0 ? "a.txt" : "b.txt" }]),
    );
  });
});
