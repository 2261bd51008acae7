/** The resources that the conformance suite reads by their addresses. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { PNG } from "./media.ts";

type Content = ReadResourceResult["contents"][number];

const CONTENTS: readonly Content[] = [
  {
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  { uri: "test://static-binary", mimeType: "image/png", blob: PNG },
  { uri: "test://watched-resource", mimeType: "text/plain", text: "This is watched." },
];

export const RESOURCES: readonly Resource[] = CONTENTS.map(({ uri, mimeType = "text/plain" }) => ({
  uri,
  name: uri,
  description: `Tests ${uri}`,
  mimeType,
}));

export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "data",
    description: "Tests a template",
    mimeType: "application/json",
  },
];

/** null: there is no such resource. */
export function contentOf(uri: string): Content | null {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return CONTENTS.find((content) => content.uri === uri) ?? null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: "application/json", text: JSON.stringify(data) };
}
