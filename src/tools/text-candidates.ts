import { timeLeft } from "../engine/ground.ts";
import { ToolError } from "../model/errors.ts";
import { fileCandidate } from "./file-candidates.ts";
import { memberCandidates } from "./member-candidates.ts";
import type { Place } from "./places.ts";
import { bytesCandidate, type TextOptions } from "./text-source.ts";
import type { Candidate } from "./view.ts";

/**
 * Files that were named by themselves, members of archives and resources behind URLs, each searched as one text:
 * what is searched is what was opened and checked, and what is shown is what was searched. What cannot be searched is
 * told; where nothing else is in the scope, it is an error.
 */

export type TextPlace = Exclude<Place, { kind: "folder" }>;

export async function* textCandidates(
  places: readonly TextPlace[],
  scope: "nothing else" | "folders too",
  options: TextOptions,
): AsyncGenerator<Candidate> {
  const failures: ToolError[] = [];
  const alone = scope === "nothing else";
  // Of several, each is one step; of one archive by itself, its members are.
  const below =
    alone && places.length === 1
      ? options
      : { ...options, ground: { ...options.ground, onLooked: undefined } };
  for (const [at, place] of places.entries()) {
    if (alone && places.length > 1) options.ground.onLooked?.(at, places.length);
    if (timeLeft(options.query.timeoutMs, options.ground) === 0) {
      options.ledger.timedOut();
      return;
    }
    try {
      yield* candidatesOf(place, below);
    } catch (cause) {
      if (!(cause instanceof ToolError) || cause.code === "ABORTED") throw cause;
      failures.push(cause);
      options.ledger.notice({ code: "PATH_SKIPPED", message: cause.message });
      // A member was counted where it was looked at.
      if (cause.code !== "MEMBER_UNREADABLE") options.ledger.unreadable(1);
    }
  }
  if (failures.length > 0 && failures.length === places.length && alone) {
    throw together(failures);
  }
}

function together(failures: readonly ToolError[]): ToolError {
  const [first] = failures;
  if (first === undefined || failures.length === 1) return first as ToolError;
  const message = failures.map(({ message }) => message).join("; ");
  return new ToolError(first.code, message, first.hint === undefined ? {} : { hint: first.hint });
}

async function* candidatesOf(place: TextPlace, options: TextOptions): AsyncGenerator<Candidate> {
  const { session } = options;
  const { label, selector } = place;
  if (place.kind === "archive") {
    yield* memberCandidates(place, options);
  } else if (place.kind === "file") {
    yield* fileCandidate({ label, path: label, policy: session.policy, selector, key: null }, options);
  } else if (place.resource.kind === "file") {
    const { path, policy, immutable, url } = place.resource;
    yield* fileCandidate({ label, path, policy, selector, key: immutable ? undefined : url }, options);
  } else {
    yield* bytesCandidate(
      { file: { path: label }, bytes: Buffer.from(place.resource.text), selector },
      options,
    );
  }
}
