/** The pages of the documentation and the answers that were cut, as MCP resources. */
import type { Resources } from "../quarry.ts";
import { ToolError } from "../model/errors.ts";

export const RESOURCE_TEMPLATES: readonly {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}[] = [
  {
    uriTemplate: "docs://{page}",
    name: "Documentation",
    description: "A page of Quarry's documentation",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "artifact://{id}",
    name: "Artifact",
    description: "The whole text of an answer that was cut in this session",
    mimeType: "text/plain",
  },
];

const SCHEMES = ["docs://", "artifact://"];

export async function resourceList(
  resources: Resources,
): Promise<{ uri: string; name: string; description: string; mimeType: string }[]> {
  const all = await resources.list();
  return all
    .filter(({ url }) => isOffered(url))
    .map(({ url, description }) => ({
      uri: url,
      name: url.slice(url.indexOf("://") + 3),
      description,
      mimeType: mimeType(url),
    }));
}

/** null: there is no such resource. */
export async function resourceText(
  resources: Resources,
  uri: string,
): Promise<{ uri: string; mimeType: string; text: string } | null> {
  if (!isOffered(uri)) return null;
  try {
    return { uri, mimeType: mimeType(uri), text: await resources.read(uri) };
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}

/** The protocol allows a hundred. */
const MOST = 100;

export async function completions(
  resources: Resources,
  ref: { readonly type: string; readonly uri?: string },
  value: string,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const scheme = SCHEMES.find((start) => ref.uri?.startsWith(start) === true);
  const urls = scheme === undefined ? [] : await resources.complete(`${scheme}${value}`);
  const values = urls.map((url) => url.slice(scheme?.length ?? 0));
  return { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST };
}

function isOffered(url: string): boolean {
  return SCHEMES.some((start) => url.startsWith(start));
}

function mimeType(url: string): string {
  return url.startsWith("docs://") ? "text/markdown" : "text/plain";
}
