import { type HasheeAgent, ToolError } from '@parley/agent';
import { explainReason } from '@parley/client';
import { displayText, type Json, type JsonObject, type Manifest, parseJson } from '@parley/documents';
import type { Bundle } from '@parley/documents/bundle';
import { type Words, wordsFor } from '../../messages/index.ts';

const MAX_ANSWER = 4_000;

export interface BundleAgent {
  readonly agent: Pick<HasheeAgent, 'callTool'>;
  readonly bundle: Bundle;
  readonly manifest: Manifest;
}

/** Calls a tool through the person's device if the message begins with its name; otherwise lists the tools. */
export async function answer(bundleAgent: BundleAgent, conversationId: string, text: string): Promise<string> {
  const words = wordsFor(/\p{Script=Han}/u.test(text) ? 'zh-CN' : 'en');
  const call = readCall(text, bundleAgent.manifest);
  if (call === undefined) return introduce(bundleAgent, words);
  if (call.args === undefined) return words.say('agent_run.bad_arguments', { tool: call.tool });
  try {
    const result = await bundleAgent.agent.callTool<Json>(conversationId, call.tool, call.args);
    const shown = typeof result === 'string' ? result : JSON.stringify(result);
    return words.say('agent_run.result', { tool: call.tool, result: displayText(shown, MAX_ANSWER) });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const refused = error.reason === 'user_refused' || error.reason === 'user_timeout';
    const reason = explainReason(error.reason, words.locale, error.detail);
    return words.say(refused ? 'agent_run.refused' : 'agent_run.failed', { tool: call.tool, reason });
  }
}

function introduce({ bundle, manifest }: BundleAgent, { say }: Words): string {
  const comma = say('list.separator');
  const roles = bundle.roles.map(({ label }) => displayText(label)).join(comma);
  const kits = (bundle.kits ?? []).map(({ label }) => displayText(label)).join(comma);
  // The projection has one text for all languages (BA-7).
  const tools = manifest.tools.map(({ name, description_fallback: text }) =>
    typeof text === 'string' ? `  ${name}  ${displayText(text)}` : `  ${name}`,
  );
  return [
    say('agent_run.roles', { name: displayText(bundle.name), roles }),
    ...(kits === '' ? [] : [say('agent_run.kits', { kits })]),
    ...(tools.length === 0 ? [say('agent_run.no_tools')] : [say('agent_run.tools'), ...tools]),
  ].join('\n');
}

/** Reads `name {"json": …}`, or `name` and the text of its only argument. `args` is undefined if the JSON is not valid. */
export function readCall(
  text: string,
  { tools }: Manifest,
): { tool: string; args: JsonObject | undefined } | undefined {
  const [, name, rest = ''] = /^\s*\/?(\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return undefined;
  const given = rest.trim();
  if (given === '') return { tool: tool.name, args: {} };
  if (given.startsWith('{')) {
    const parsed = parseJson(given);
    return { tool: tool.name, args: parsed.ok ? (parsed.value as JsonObject) : undefined };
  }
  const { required = [], properties = {} } = tool.input_schema as { required?: string[]; properties?: object };
  const [only] = required.length === 1 ? required : Object.keys(properties);
  return { tool: tool.name, args: only === undefined ? undefined : { [only]: given } };
}
