/** `artifact://ID`: the whole text of an answer that was cut. Backed by a file, never changed. */
import type { Artifacts } from "../artifacts.ts";
import type { Policy } from "../policy.ts";
import type { Protocol } from "../urls.ts";

/** `ground` gives the policy of the artifacts' folder. */
export function artifactProtocol(artifacts: Artifacts, ground: () => Promise<Policy>): Protocol {
  const list = async (): Promise<string[]> => (await artifacts.list()).map((id) => `artifact://${id}`);
  return {
    scheme: "artifact",
    description: "the whole text of answers that were cut in this session",
    list,
    async resolve(id) {
      const url = `artifact://${id}`;
      if (id === "") return { kind: "many", url, urls: await list() };
      const path = await artifacts.locate(id);
      return { kind: "file", url, path, immutable: true, policy: await ground() };
    },
  };
}
