/** The prompts that the conformance suite asks for by name. Quarry has none; the room could carry them. */
import type {
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  PromptMessage,
  ServerContext,
} from "@modelcontextprotocol/server";
import { answered, ask, elicit } from "./asking-tools.ts";
import { PNG } from "./media.ts";

type Answer = GetPromptResult | InputRequiredResult;
type Words = Readonly<Record<string, string>>;

interface FixturePrompt {
  readonly words: readonly string[];
  readonly get: (words: Words, context: ServerContext) => Answer;
}

const ALL: ReadonlyMap<string, FixturePrompt> = new Map(
  Object.entries<FixturePrompt>({
    test_simple_prompt: {
      words: [],
      get: () => ({ messages: [said("This is a simple prompt for testing.")] }),
    },
    test_prompt_with_arguments: {
      words: ["arg1", "arg2"],
      get: ({ arg1, arg2 }) => ({
        messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
      }),
    },
    test_prompt_with_embedded_resource: {
      words: ["resourceUri"],
      get: ({ resourceUri = "" }) => ({
        messages: [
          user({
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          }),
          said("Please process the embedded resource above."),
        ],
      }),
    },
    test_prompt_with_image: {
      words: [],
      get: () => ({
        messages: [
          user({ type: "image", data: PNG, mimeType: "image/png" }),
          said("Please analyze the image above."),
        ],
      }),
    },
    test_input_required_result_prompt: {
      words: [],
      get: (_words, context) => {
        const given = answered(context, "user_context", "context");
        return given === null
          ? ask("user_context", elicit("What context should the prompt use?", "context"))
          : { messages: [said(given)] };
      },
    },
  }),
);

export const PROMPTS: readonly Prompt[] = [...ALL].map(([name, { words }]) => ({
  name,
  description: `Tests ${name}`,
  arguments: words.map((word) => ({ name: word, description: `Any ${word}`, required: true })),
}));

/** null: there is no such prompt. */
export function promptOf(name: string, words: Words, context: ServerContext): Answer | null {
  return ALL.get(name)?.get(words, context) ?? null;
}

function said(text: string): PromptMessage {
  return user({ type: "text", text });
}

function user(content: PromptMessage["content"]): PromptMessage {
  return { role: "user", content };
}
