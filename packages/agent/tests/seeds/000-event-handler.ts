// biome-ignore-all format: printed so in seed 000
// biome-ignore-all lint: printed so in seed 000
import { agent } from './frame.ts';

const pendingCalls = new Map<string, { resolve: (v: unknown) => void; reject: (e: Error) => void }>();

agent.addEventHandler((event) => {
  if (event.type !== "artifact_response") return;
  if (event.artifact?.subtype !== "tool_response") return;

  const { call_id, status, result, reason } = event.artifact;
  const handler = pendingCalls.get(call_id);
  pendingCalls.delete(call_id);

  if (!handler) return;
  if (status === "ok") handler.resolve(result);
  else handler.reject(new Error(`tool ${status}: ${reason}`));
});

export { pendingCalls };
