// An agent with Quarry's tools over OpenAI's Responses API.
//   OPENAI_API_KEY=… node examples/openai.mjs FOLDER "Where is the timeout read?"
import OpenAI from "openai";
import { createWorkspace, openaiTools } from "quarry";

const [root = ".", question = "What is this project?"] = process.argv.slice(2);
const client = new OpenAI();
const workspace = await createWorkspace({ root, readOnly: true });
try {
  const { tools, run } = openaiTools(workspace).responses;
  const input = [{ role: "user", content: question }];
  for (;;) {
    const answer = await client.responses.create({
      model: process.env.OPENAI_MODEL ?? "gpt-5.1",
      tools,
      input,
    });
    input.push(...answer.output);
    const results = await run(answer.output);
    if (results.length === 0) {
      console.log(answer.output_text);
      break;
    }
    input.push(...results);
  }
} finally {
  await workspace.close();
}
