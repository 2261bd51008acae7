import { startThread } from "../workspace/thread.ts";
import { NO_ORDER } from "./key-order.ts";
import type { ListOptions } from "./listing.ts";
import { unpackSurvey } from "./packed-survey.ts";
import type { Surveyor } from "./survey.ts";
import type { SurveyAsked, SurveyJob, SurveyTold } from "./survey-thread.ts";

/**
 * A survey in a thread of its own, for a large tree: what it takes to list 80,000 files and to look at them is gone
 * with the thread, and meanwhile the index reads what was saved. Begun by `keeper.ts` at a start.
 */
export function surveyInThread(root: string, { signal, ...options }: ListOptions): Surveyor {
  const job: SurveyJob = { root, options };
  const thread = startThread(import.meta.url, "survey-thread", { given: job });
  thread.unref();
  const ask = (asked: SurveyAsked): void => thread.postMessage(asked);
  const end = (): void => ask({ kind: "end" });
  const close = (): void => {
    signal.removeEventListener("abort", end);
    end();
  };
  signal.addEventListener("abort", end, { once: true });

  const told = <Kind extends SurveyTold["kind"]>(kind: Kind): Promise<Extract<SurveyTold, { kind: Kind }>> =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown): void =>
        reject(cause instanceof Error ? cause : new Error(String(cause)));
      thread.on("error", fail);
      thread.on("exit", () => fail("The tree could not be listed"));
      thread.on("message", (message: SurveyTold) => {
        if (message.kind === "failed") fail(message.why);
        if (message.kind === kind) resolve(message as Extract<SurveyTold, { kind: Kind }>);
      });
    });
  const listed = told("listed");
  const looked = told("looked");
  for (const awaited of [listed, looked]) awaited.catch(() => {});

  return {
    close,
    list: async () => {
      const { survey } = await listed;
      if (survey === null) return null;
      return {
        ...survey,
        look: async (tell, order = NO_ORDER) => {
          const take = unpackSurvey(order, tell);
          const taken = new Promise<void>((resolve, reject) => {
            thread.on("message", (message: SurveyTold) => {
              try {
                if (message.kind === "seen") take(message.part);
              } catch (cause) {
                reject(cause);
              }
            });
            looked.then(() => resolve(), reject);
          });
          ask({ kind: "look", order });
          await taken;
        },
      };
    },
  };
}
