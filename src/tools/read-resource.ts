import { bounded, quoteListed } from "../format/escape.ts";
import { PAGE_PATHS } from "../model/limits.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import type { Selector } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import type { Resource } from "../workspace/urls.ts";
import { listedRows } from "./listed-rows.ts";
import { readFilePage } from "./read-file.ts";
import { textPage } from "./read-lines.ts";

/** What an internal URL leads to: a text, a file on a ground of its own, or a list of more of them. */
export async function readResource(
  session: Session,
  resource: Resource,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const { url } = resource;
  if (resource.kind === "file") {
    const { path, policy, immutable } = resource;
    return readFilePage(session, { label: url, path, policy, url, immutable }, selector, signal);
  }
  if (resource.kind === "text") {
    const page = textPage({
      label: url,
      tag: null,
      bytes: Buffer.from(resource.text),
      selector,
      settings: session.settings,
    });
    return { page, resolved: null, realPath: null };
  }
  const { urls } = resource;
  const { first, last } = listedRows(selector, url, "several");
  const end = Math.min(last ?? urls.length, urls.length);
  const shown = urls.slice(first - 1, Math.min(end, first - 1 + PAGE_PATHS));
  const rows = shown.map((one) => bounded(quoteListed(one)));
  const next = first + shown.length;
  const more = next <= end;
  const notes = [
    ...(urls.length === 0 ? ["Empty"] : []),
    ...(urls.length > 0 && first > urls.length
      ? [`There are ${urls.length}, and ${first} is past them`]
      : []),
    ...(more ? [`${first}-${next - 1} of ${urls.length}. Read ${url}:${next}- for more`] : []),
  ];
  return {
    page: { kind: "urls", label: url, text: rows.join("\n"), cut: more, notes },
    resolved: null,
    realPath: null,
  };
}
