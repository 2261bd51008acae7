/**
 * Requests in the form that nearly all of them have, which the SDK's schemas take as they are: asking these takes some
 * 30 µs, and the SDK asks eight times for one call. Whatever has more to it is left to them.
 */
import type { CallToolRequest, JSONRPCRequest } from "@modelcontextprotocol/server";

/** With no part that has a schema of its own. */
export function isPlainRequest(raw: unknown): raw is JSONRPCRequest {
  if (!isObject(raw)) return false;
  const { jsonrpc, id, method, params } = raw;
  return (
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    typeof method === "string" &&
    (params === undefined || (isObject(params) && !("_meta" in params))) &&
    Object.keys(raw).length === ("params" in raw ? 4 : 3)
  );
}

/** Of a request's parameters: the name of a tool, its arguments, and nothing beside them. */
export function isPlainCall(params: unknown): params is CallToolRequest["params"] {
  if (!isObject(params) || typeof params["name"] !== "string") return false;
  if (!("arguments" in params)) return Object.keys(params).length === 1;
  const given = params["arguments"];
  // A name that the schema leaves out.
  return Object.keys(params).length === 2 && isObject(given) && !Object.hasOwn(given, "__proto__");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
