/** What a request of the newest revision says of its client, and how the older revisions are told from it. */
import type { ClientCapabilities, ServerContext } from "@modelcontextprotocol/server";

export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** undefined in the older revisions. */
export function envelope({
  envelope: given,
}: ServerContext["mcpReq"]): { readonly [CAPABILITIES_KEY]?: ClientCapabilities } | undefined {
  return given;
}
