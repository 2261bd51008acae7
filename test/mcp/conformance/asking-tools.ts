/**
 * The tools that answer the conformance suite with a question first, as revision 2026-07-28 asks: the client makes the
 * same call again with the answers. What must last from one call to the next goes along, signed.
 */
import { randomBytes } from "node:crypto";
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type FixtureCall, type FixtureTool, plain, text } from "./tools.ts";

/** What is known from the calls before this one. */
interface Round {
  readonly round: number;
}

export const CODEC: ReturnType<typeof createRequestStateCodec<Round>> = createRequestStateCodec<Round>({
  key: randomBytes(32),
});

export const ASKING_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_streaming_elicitation: plain(({ context }) => greet(context, "name")),
  test_input_required_result_elicitation: plain(({ context }) => greet(context, "user_name")),
  test_input_required_result_sampling: plain(({ context }) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "capital_question");
    if (answer.kind === "sampling") return text(JSON.stringify(answer.result.content));
    return ask("capital_question", sample("What is the capital of France?", 100));
  }),
  test_input_required_result_list_roots: plain(({ context }) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "client_roots");
    if (answer.kind === "roots") return text(JSON.stringify(answer.roots));
    return ask("client_roots", inputRequired.listRoots());
  }),
  test_input_required_result_request_state: plain(async ({ context }) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "confirm");
    if (roundOf(context) === 1 && answer.kind === "elicit") return text("state-ok");
    return ask("confirm", CONFIRM, await CODEC.mint({ round: 1 }, context));
  }),
  // A state that was changed on the way never comes here: it is refused before.
  test_input_required_result_tampered_state: plain(async ({ context }) =>
    roundOf(context) === 1
      ? text("state-ok")
      : ask("confirm", CONFIRM, await CODEC.mint({ round: 1 }, context)),
  ),
  test_input_required_result_multiple_inputs: plain(async ({ context }) => {
    const inputRequests = {
      user_name: elicit("What is your name?", "name"),
      greeting: sample("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    const answers = context.mcpReq.inputResponses;
    const all = Object.keys(inputRequests).every((key) => inputResponse(answers, key).kind !== "missing");
    if (all) return text("All three were answered");
    return inputRequired({ inputRequests, requestState: await CODEC.mint({ round: 1 }, context) });
  }),
  test_input_required_result_multi_round: plain(async ({ context }) => {
    const answers = context.mcpReq.inputResponses;
    const round = roundOf(context);
    if (round === 2 && inputResponse(answers, "step2").kind === "elicit") return text("Both were answered");
    if (round === 1 && inputResponse(answers, "step1").kind === "elicit") {
      const colour = elicit("Step 2: What is your favorite color?", "color");
      return ask("step2", colour, await CODEC.mint({ round: 2 }, context));
    }
    const name = elicit("Step 1: What is your name?", "name");
    return ask("step1", name, await CODEC.mint({ round: 1 }, context));
  }),
  // Asks only for what the client says that it can answer.
  test_input_required_result_capabilities: plain(({ capabilities }) => {
    const inputRequests = {
      ...(capabilities.sampling === undefined ? {} : { words: sample("Say something", 10) }),
      ...(capabilities.elicitation === undefined ? {} : { name: elicit("What is your name?", "name") }),
    };
    const none = Object.keys(inputRequests).length === 0;
    return none ? text("There is nothing to ask") : inputRequired({ inputRequests });
  }),
};

type Question = ReturnType<typeof inputRequired.listRoots>;

export function ask(key: string, question: Question, requestState?: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [key]: question },
    ...(requestState === undefined ? {} : { requestState }),
  });
}

/** Asks a person for one word. */
export function elicit(message: string, field: string): Question {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  });
}

const CONFIRM: Question = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});

function sample(words: string, maxTokens: number): Question {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens,
  });
}

/** The word that a person gave, if one did. */
export function answered({ mcpReq }: ServerContext, key: string, field: string): string | null {
  const value = acceptedContent(mcpReq.inputResponses, key)?.[field];
  return typeof value === "string" ? value : null;
}

function greet(context: FixtureCall["context"], key: string): ReturnType<FixtureTool["run"]> {
  const name = answered(context, key, "name");
  return name === null ? ask(key, elicit("What is your name?", "name")) : text(`Hello, ${name}!`);
}

function roundOf({ mcpReq }: ServerContext): number {
  return mcpReq.requestState<Round>()?.round ?? 0;
}
