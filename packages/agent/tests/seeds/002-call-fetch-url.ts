// biome-ignore-all format: printed so in seed 002
// biome-ignore-all lint: printed so in seed 002
// biome-ignore-all assist: printed so in seed 002
import { agent } from './frame.ts';

import { ulid } from "ulid";

async function callFetchUrl(conversationId: string, url: string) {
  const callId = ulid();

  // 注册等待项
  const promise = new Promise<unknown>((resolve, reject) => {
    pendingCalls.set(callId, { resolve, reject });
  });

  await agent.sendArtifact(conversationId, {
    artifact: {
      artifact_id: callId,
      subtype: "tool_call",
      payload: {
        call_id: callId,
        tool_name: "fetch_url",
        arguments: { url, method: "GET" },
        permission_scope: "network:http",
        timeout_ms: 10000,
      },
    },
  });

  return promise;
}

const pendingCalls = new Map<string, { resolve: (v: unknown) => void; reject: (e: Error) => void }>();

agent.addEventHandler(async (event) => {
  if (event.type !== "artifact_response") return;
  if (event.payload.ref_artifact_subtype !== "tool_response") return;

  const { call_id, status, result, reason } = event.payload;
  const handler = pendingCalls.get(call_id);
  if (!handler) return;
  pendingCalls.delete(call_id);

  if (status === "ok") {
    handler.resolve(result);
  } else {
    handler.reject(new Error(`tool ${status}: ${reason}`));
  }
});

async function callFetchUrlWithTimeout(conversationId: string, url: string, ms = 30000) {
  return Promise.race([
    callFetchUrl(conversationId, url),
    new Promise((_, reject) =>
      setTimeout(() => reject(new Error("tool call total timeout")), ms),
    ),
  ]);
}

export { callFetchUrl, callFetchUrlWithTimeout };
