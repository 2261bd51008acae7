// An agent with Quarry's tools over the Vercel AI SDK, with whatever model you give it.
import { generateText, isStepCount } from "ai";
import { aiSdkTools, createWorkspace } from "quarry";

/** The model's last words. */
export async function ask(model, root, question) {
  const workspace = await createWorkspace({ root, readOnly: true });
  try {
    const { text } = await generateText({
      model,
      tools: aiSdkTools(workspace),
      stopWhen: isStepCount(20),
      prompt: question,
    });
    return text;
  } finally {
    await workspace.close();
  }
}
