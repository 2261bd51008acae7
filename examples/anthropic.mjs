// An agent with Quarry's tools over Anthropic's Messages API.
//   ANTHROPIC_API_KEY=… node examples/anthropic.mjs FOLDER "Where is the timeout read?"
import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools, createWorkspace } from "quarry";

const [root = ".", question = "What is this project?"] = process.argv.slice(2);
const client = new Anthropic();
const workspace = await createWorkspace({ root, readOnly: true });
try {
  const { tools, run } = anthropicTools(workspace);
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const answer = await client.messages.create({
      model: process.env.ANTHROPIC_MODEL ?? "claude-sonnet-4-5",
      max_tokens: 2_000,
      tools,
      messages,
    });
    messages.push({ role: "assistant", content: answer.content });
    const results = await run(answer.content);
    if (results.length === 0) {
      console.log(answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
      break;
    }
    messages.push({ role: "user", content: results });
  }
} finally {
  await workspace.close();
}
