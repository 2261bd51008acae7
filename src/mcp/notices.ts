/** What is said of a client's roots, to whoever runs the server and to the model. */
import { escapeText } from "../format/escape.ts";
import { MCP_ROOT_LETTERS, MCP_ROOTS_TOLD } from "../model/limits.ts";
import type { RefusedRoot } from "./roots.ts";

/** Of many the first few, and of each as much as a line holds: a client must not fill the log. */
export function refusedWarning(refused: readonly RefusedRoot[]): string {
  const told = refused
    .slice(0, MCP_ROOTS_TOLD)
    .map(({ uri, why }) => `The root ${shown(uri)} is not used: ${why}`);
  const more = refused.length > told.length ? `; and ${refused.length - told.length} more` : "";
  return `${told.join("; ")}${more}`;
}

/** `places`: the folders that are used instead. */
export function silentNotice(places: readonly string[]): string {
  return `Note: the client has roots and did not name them when it was asked. The tools work in ${places.map(shown).join(", ")}.`;
}

/** `places`: the folders that are used instead. */
export function refusedNotice(refused: readonly RefusedRoot[], places: readonly string[]): string {
  const told = refused.slice(0, MCP_ROOTS_TOLD).map(({ uri, why }) => `${shown(uri)} (${why})`);
  const more = refused.length > told.length ? ` and ${refused.length - told.length} more` : "";
  return `Note: of the client's roots these are not used: ${told.join(", ")}${more}. The tools work in ${places.map(shown).join(", ")}.`;
}

export function broadNotice(place: string, what: string): string {
  return `Note: the tools work in ${shown(place)}, ${what}: name the folders to look in, or an answer takes long.`;
}

function shown(place: string): string {
  const cut = place.length > MCP_ROOT_LETTERS ? `${place.slice(0, MCP_ROOT_LETTERS)}…` : place;
  return escapeText(cut).replaceAll("\t", "\\t");
}
