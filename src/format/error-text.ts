/**
 * An error as people read it: one line that names the code, the thing and the way out. Called by the command
 * line for whatever was thrown. Only a pattern's error has more lines, the parser's own: the caret stands under
 * the place. A stack is never shown.
 */
import { ToolError } from "../model/errors.ts";
import { escapeKeepingColumns, escapeText } from "./escape.ts";
import { paint, type Style } from "./style.ts";

export function errorText(style: Style, error: unknown): string {
  const name = paint(style, "error", "quarry:");
  if (!(error instanceof ToolError)) {
    return `${name} [${systemCode(error)}] ${sentence(oneLine(plainMessage(error)))}\n`;
  }
  return `${name} ${agentErrorText(error)}\n`;
}

/** The same for an agent: `[CODE] message` and the way out. */
export function agentErrorText(error: ToolError): string {
  return error.excerpt === undefined ? told(error) : `${told(error)}\n\n${error.excerpt}`;
}

function told({ code, message, hint }: ToolError): string {
  if (code === "INVALID_PATTERN" && message.includes("\n")) {
    const lines = message.trimEnd().split("\n");
    // Of a pattern that no screen could show, the parser's last word.
    const kept = message.length > LONGEST ? lines.filter((line) => line.length < 200).slice(-1) : lines;
    const shown = kept.map(escapeKeepingColumns).join("\n");
    return `[${code}] ${shown}${hint === undefined ? "" : `\n${oneLine(hint)}`}`;
  }
  const text = sentence(oneLine(message));
  return `[${code}] ${text}${hint === undefined ? "" : ` ${sentence(oneLine(hint))}`}`;
}

/** ENOSPC and its like name themselves; whatever else comes here is a fault of ours. */
function systemCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "INTERNAL";
  return typeof error.code === "string" ? error.code : "INTERNAL";
}

function plainMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Enough for any message of ours and the path in it; what a caller sent may be of any length. */
const LONGEST = 6_000;

function oneLine(text: string): string {
  const shown = text.trim();
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  return escapeText(cut).replaceAll("\t", "\\t");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
