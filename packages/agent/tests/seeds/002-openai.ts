// biome-ignore-all format: printed so in seed 002
// biome-ignore-all lint: printed so in seed 002
// biome-ignore-all assist: printed so in seed 002
// @ts-nocheck: the snippet indexes without looking and reads `err.message`, which our compiler options forbid
import { callFetchUrl } from './002-call-fetch-url.ts';
import { agent } from './frame.ts';

import OpenAI from "openai";
const openai = new OpenAI();

agent.addMessageHandler(async (msg) => {
  const completion = await openai.chat.completions.create({
    model: "gpt-4o-mini",
    messages: [{ role: "user", content: msg.payload.text }],
    tools: [{
      type: "function",
      function: {
        name: "fetch_url",
        description: "Fetch a URL and return its body",
        parameters: { type: "object", properties: { url: { type: "string" }}, required: ["url"]},
      },
    }],
  });

  const toolCall = completion.choices[0].message.tool_calls?.[0];
  if (toolCall?.function.name === "fetch_url") {
    const args = JSON.parse(toolCall.function.arguments);
    try {
      // 触发 Hashee tool call → 用户授权 → 客户端执行 → 结果返回
      const html = await callFetchUrl(msg.conversation_id, args.url);
      // 把结果喂回 LLM
      const final = await openai.chat.completions.create({
        model: "gpt-4o-mini",
        messages: [
          { role: "user", content: msg.payload.text },
          completion.choices[0].message,
          { role: "tool", tool_call_id: toolCall.id, content: JSON.stringify({ html }) },
        ],
      });
      await agent.send(msg.conversation_id, {
        type: "text",
        text: final.choices[0].message.content ?? "",
      });
    } catch (err) {
      await agent.send(msg.conversation_id, {
        type: "text",
        text: `工具调用失败:${err.message}`,
      });
    }
  }
});
