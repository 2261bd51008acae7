/** Where `quarry mcp --transport http` listens and whom it serves, as it was typed. */
import { randomBytes } from "node:crypto";
import type { HttpOptions } from "../mcp/http-options.ts";
import { logger, type LogOptions } from "../mcp/log.ts";
import { ToolError } from "../model/errors.ts";
import type { Typed } from "./arguments.ts";

const PORT = 8080;
const HOST = "127.0.0.1";
/** As many as nobody guesses. */
const TOKEN_BYTES = 32;

export function httpOptions(typed: Typed, log: LogOptions): HttpOptions {
  return {
    host: typed.text("host") ?? HOST,
    port: typed.integer("port") ?? PORT,
    tokens: tokens(typed, log),
    allowedHosts: typed.list("allowed-host"),
    allowedOrigins: typed.list("allowed-origin"),
  };
}

function tokens(typed: Typed, log: LogOptions): readonly string[] {
  const given = typed.text("token");
  if (!typed.on("generate-token")) return given === undefined ? [] : [given];
  if (given !== undefined) {
    throw new ToolError("INVALID_INPUT", "There is a token, and --generate-token asks for another", {
      hint: "Leave out one of them; a token may stand in QUARRY_TOKEN",
    });
  }
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  // Whoever asked for it needs it, whatever else is logged.
  logger({ ...log, level: "info" })("info", "Clients must send this bearer token", { token });
  return [token];
}
