/** The path that reads on where a page of rows ended. In the worker; what it writes, `parse-path.ts` reads. */
import type { TableQuery } from "../../model/database.ts";
import { namedText } from "./named-part.ts";

export function nextPage(table: { readonly name: string }, query: TableQuery, offset: number): string {
  const order = query.order === null ? "" : `&order=${encoded(query.order)}`;
  const where = query.where === null ? "" : `&where=${encoded(query.where)}`;
  return `:${namedText(table.name)}?limit=${query.limit}&offset=${offset}${order}${where}`;
}

/** Without blanks and quotes, so that it is decoded as it was; a colon is easier to read. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", "%27").replaceAll("%3A", ":");
}
