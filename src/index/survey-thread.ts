import { parentPort } from "node:worker_threads";
import { given, loaded } from "../workspace/thread-side.ts";
import type { KeyOrder } from "./key-order.ts";
import type { ListOptions } from "./listing.ts";
import { type PackedSurvey, packSurvey } from "./packed-survey.ts";
import { type Survey, surveyHere } from "./survey.ts";

/** A thread that lists a tree and, when it is told to, looks at its files; started by `survey-in-thread.ts`. */

export interface SurveyJob {
  readonly root: string;
  readonly options: Omit<ListOptions, "signal">;
}

export type SurveyAsked = { readonly kind: "look"; readonly order: KeyOrder } | { readonly kind: "end" };

export type SurveyTold =
  | { readonly kind: "listed"; readonly survey: Omit<Survey, "look"> | null }
  | { readonly kind: "seen"; readonly part: PackedSurvey }
  | { readonly kind: "looked" }
  | { readonly kind: "failed"; readonly why: string };

loaded();
const { root, options } = given() as SurveyJob;
const ending = new AbortController();
const listed = surveyHere(root, { ...options, signal: ending.signal }).list();

parentPort?.on("message", (asked: SurveyAsked) => {
  if (asked.kind === "end") ending.abort();
  void (asked.kind === "look" ? look(asked.order) : Promise.resolve()).finally(() => parentPort?.close());
});

async function look(order: KeyOrder): Promise<void> {
  try {
    const survey = await listed;
    if (survey === null) return;
    await packSurvey(survey, order, (part) =>
      tell({ kind: "seen", part }, [part.keys.buffer, part.numbers.buffer]),
    );
    tell({ kind: "looked" });
  } catch (cause) {
    fail(cause);
  }
}

function tell(told: SurveyTold, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(told, transferred);
}

function fail(cause: unknown): void {
  tell({ kind: "failed", why: cause instanceof Error ? cause.message : String(cause) });
}

listed.then((survey) => {
  if (survey === null) return tell({ kind: "listed", survey });
  const { ignored, faults, count } = survey;
  return tell({ kind: "listed", survey: { ignored, faults, count } });
}, fail);
