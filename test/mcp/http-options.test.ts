/** Origins are named as hosts or as browsers send them; what would let in nobody, or everybody, is refused. */
import { describe, expect, test } from "vitest";
import { checkHttpOptions, plainOrigin } from "../../src/mcp/http-options.ts";
import { HTTP, INITIALIZE, send, serve } from "./http-server.ts";
import { tree } from "../support/tree.ts";

describe("--allowed-origin", () => {
  test.each([
    "*",
    "null",
    "https://*.example",
    "https://app.example/path",
    "app.example/",
    "file://x",
    "",
    "a b",
  ])("is not %j", (origin) => {
    expect(() => checkHttpOptions({ ...HTTP, allowedOrigins: [origin] })).toThrow("--allowed-origin must be");
  });

  test.each([
    ["App.example", "app.example"],
    ["[0::1]", "::1"],
    ["https://App.example:443/", "https://app.example"],
    ["http://app.example:80", "http://app.example"],
    ["https://app.example:8443", "https://app.example:8443"],
  ])("%s stands for %s", (given, plain) => {
    expect(plainOrigin(given)).toBe(plain);
  });

  test("with the usual port lets in a page whose browser leaves it out", async () => {
    const { port } = await serve(tree({}), { http: { allowedOrigins: ["https://app.example:443"] } });
    const from = async (origin: string): Promise<number> =>
      (await send(port, { headers: { origin }, body: INITIALIZE })).status;
    expect(await from("https://app.example")).toBe(200);
    expect(await from("http://app.example")).toBe(403);
  });
});
