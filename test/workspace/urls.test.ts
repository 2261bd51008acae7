import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createArtifacts } from "../../src/workspace/artifacts.ts";
import { openFile, readWhole } from "../../src/workspace/open.ts";
import { artifactProtocol } from "../../src/workspace/protocols/artifact.ts";
import { docsProtocol } from "../../src/workspace/protocols/docs.ts";
import { localProtocol } from "../../src/workspace/protocols/local.ts";
import { createRouter, parseUrl, type Resource, type Router } from "../../src/workspace/urls.ts";
import { tree } from "../support/tree.ts";
import { codeOf, policyOf } from "./ground.ts";

function router(): { router: Router; folder: string; store: ReturnType<typeof createArtifacts> } {
  const folder = tree({ "local/notes.md": "note", "local/sub/x.md": "x" });
  const store = createArtifacts(async () => folder);
  return {
    folder,
    store,
    router: createRouter([
      docsProtocol(),
      artifactProtocol(store, async () => policyOf(await store.folder())),
      localProtocol(() => policyOf(join(folder, "local"))),
    ]),
  };
}

async function text(resource: Resource): Promise<string> {
  if (resource.kind === "text") return resource.text;
  if (resource.kind === "many") return resource.urls.join("\n");
  const opened = await openFile(resource.policy, resource.path);
  try {
    return String(await readWhole(opened, 1000));
  } finally {
    await opened.handle.close();
  }
}

describe("A URL", () => {
  it.each([
    ["docs://", { protocol: "docs", path: "" }],
    ["docs://README.md", { protocol: "docs", path: "README.md" }],
    ["Artifact://3:50-60", { protocol: "artifact", path: "3:50-60" }],
    ["local://a/b%20c", { protocol: "local", path: "a/b%20c" }],
    ["foo+bar.1://x\ny", { protocol: "foo+bar.1", path: "x\ny" }],
  ])("is told: %s", (url, expected) => {
    expect(parseUrl(url)).toEqual(expected);
  });

  it.each([
    "C:\\x",
    "C:/x",
    "C://x",
    "c:",
    "a.ts:10",
    "a.zip:src://x",
    "docs:/x",
    "docs:",
    "://x",
    "./docs://x",
    "9p://x",
    "file:///x",
    "",
  ])("is not what %j is", (path) => {
    expect(parseUrl(path)).toBeNull();
  });

  it("of an unknown protocol is an error that lists the known ones", async () => {
    const { router: known } = router();
    await expect(known.resolve("foo://x")).rejects.toMatchObject({
      code: "URL_UNKNOWN",
      hint: expect.stringContaining("docs://, artifact://, local://") as string,
    });
    await expect(known.resolve("https://example.org")).rejects.toThrow("web page");
    expect(known.handles("foo://x")).toBe(true);
    expect(await known.exists("foo://x")).toBe(false);
  });

  it.each(["docs://*.md", "local://a?", "artifact://[1]", "local://{a,b}"])(
    "takes no glob: %s",
    async (url) => {
      expect(await codeOf(router().router.resolve(url))).toBe("URL_GLOB");
    },
  );

  it("can be completed", async () => {
    const { router: known, store } = router();
    await store.store("one");
    expect(await known.complete("")).toEqual(["docs://", "artifact://", "local://"]);
    expect(await known.complete("lo")).toEqual(["local://"]);
    expect(await known.complete("local://s")).toEqual(["local://sub/x.md"]);
    expect(await known.complete("artifact://")).toEqual(["artifact://1"]);
    expect(await known.complete("docs://READ")).toEqual(["docs://README.md"]);
  });
});

describe("docs://", () => {
  it("is every page of the documentation, each by its name", async () => {
    const { router: known } = router();
    const all = await known.resolve("docs://");
    expect(all).toMatchObject({ kind: "many" });
    const urls = all.kind === "many" ? all.urls : [];
    expect(urls).toContain("docs://README.md");
    expect(urls).toContain("docs://CHANGELOG.md");
    expect(urls).toContain("docs://deviations.md");
    for (const url of urls) {
      const page = await known.resolve(url);
      expect(page).toMatchObject({ kind: "text", url, immutable: true });
      expect(await text(page)).not.toBe("");
    }
    expect(await known.resolve("docs://deviations")).toMatchObject({ url: "docs://deviations.md" });
  });

  it.each([
    "docs://../package.json",
    "docs:///etc/passwd",
    "docs://package.json",
    "docs://docs/../README.md",
    "docs://__proto__",
  ])("has no such page: %s", async (url) => {
    expect(await codeOf(router().router.resolve(url))).toBe("PATH_NOT_FOUND");
  });
});

describe("artifact://", () => {
  it("is a file that does not change", async () => {
    const { router: known, store } = router();
    await store.store("whole text");
    const resource = await known.resolve("artifact://1");
    expect(resource).toMatchObject({ kind: "file", immutable: true, path: await store.locate("1") });
    expect(await text(resource)).toBe("whole text");
    expect(await known.resolve("artifact://")).toMatchObject({ urls: ["artifact://1"] });
    expect(await codeOf(known.resolve("artifact://2"))).toBe("ARTIFACT_NOT_FOUND");
    expect(await codeOf(known.resolve("artifact://../local/notes.md"))).toBe("ARTIFACT_NOT_FOUND");
    expect(await codeOf(known.locate("artifact://1"))).toBe("URL_READ_ONLY");
  });
});

describe("local://", () => {
  it("is files that can be changed, folders and the whole", async () => {
    const { router: known, folder } = router();
    const note = await known.resolve("local://notes.md");
    expect(note).toMatchObject({ kind: "file", immutable: false, path: join(folder, "local/notes.md") });
    expect(await text(note)).toBe("note");
    expect(await known.resolve("local://")).toMatchObject({ urls: ["local://notes.md", "local://sub/x.md"] });
    expect(await known.resolve("local://sub")).toMatchObject({ urls: ["local://sub/x.md"] });
    expect(await codeOf(known.resolve("local://gone.md"))).toBe("PATH_NOT_FOUND");
    expect(await known.locate("local://new/file.md")).toMatchObject({
      path: join(folder, "local/new/file.md"),
    });
    expect(await codeOf(known.locate("local://"))).toBe("NOT_A_FILE");
  });

  it.each(["../x", "a/../../x", "/etc/passwd", "..", "a\\..\\..\\x", "C:/x", "\\\\server\\x"])(
    "does not lead out of its folder: %s",
    async (path) => {
      const { router: known, folder } = router();
      mkdirSync(join(folder, "x"));
      expect(await codeOf(known.resolve(`local://${path}`))).toBe("PATH_OUTSIDE");
      expect(await codeOf(known.locate(`local://${path}`))).toBe("PATH_OUTSIDE");
    },
  );

  it("does not follow a link out of its folder, there or dangling", async () => {
    const { router: known, folder } = router();
    writeFileSync(join(folder, "secret"), "secret");
    symlinkSync("../secret", join(folder, "local/link"));
    symlinkSync("../new", join(folder, "local/dangling"));
    expect(await codeOf(known.resolve("local://link"))).toBe("PATH_OUTSIDE");
    expect(await codeOf(known.locate("local://dangling"))).toBe("PATH_OUTSIDE");
    expect(await codeOf(known.resolve("local://x\0y"))).toBe("INVALID_INPUT");
  });
});
