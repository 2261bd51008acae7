import { parentPort } from "node:worker_threads";
import type { Pattern } from "../../model/query.ts";
import { given, loaded } from "../../workspace/thread-side.ts";
import { collect, givingBackWhenQuiet } from "../give-back.ts";
import { type PackedLooks, unpackLooks } from "./look.ts";
import { type Shares, takeParts } from "./shares.ts";
import { type Verdict, verifier } from "./verify.ts";

/** A thread that looks at files; started by `second.ts`, which it answers in the order it was asked. */

export interface SecondAsked {
  readonly pattern: Pattern;
  readonly looks: PackedLooks;
  readonly shares: Shares;
}

/** `ready`: it can be asked. */
export type SecondTold = "ready" | readonly Verdict[];

const root = given() as string;
const begin = givingBackWhenQuiet(collect);

parentPort?.on("message", ({ pattern, looks: packed, shares }: SecondAsked) => {
  const end = begin();
  const looks = unpackLooks(packed);
  const verify = verifier(root, pattern);
  const verdicts: Verdict[][] = [];
  for (const [from, to] of takeParts(shares, looks.length, "back"))
    verdicts.push(looks.slice(from, to).map(verify));
  tell(verdicts.toReversed().flat());
  end();
});

function tell(told: SecondTold): void {
  parentPort?.postMessage(told);
}

loaded();
tell("ready");
begin()();
