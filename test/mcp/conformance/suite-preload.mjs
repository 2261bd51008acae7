/**
 * Lets the conformance suite load under Node 20. It is built for Node 20 but for one import, `globSync` of `fs`, which
 * came with Node 22; no run against a server calls it. Given to `node --import`.
 */
import { register } from "node:module";

const fs = moduleOf(`export * from "node:fs"; export const globSync = undefined;`);

register(
  moduleOf(`
    export function resolve(name, context, next) {
      const fromSuite = context.parentURL?.endsWith("/@modelcontextprotocol/conformance/dist/index.js");
      if (name === "fs" && fromSuite) return { url: ${JSON.stringify(fs)}, shortCircuit: true };
      return next(name, context);
    }
  `),
);

function moduleOf(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
