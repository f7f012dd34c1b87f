import { HasheeAgent } from '@parley/agent';
import type { Manifest } from '@parley/documents';
import type { Bundle } from '@parley/documents/bundle';
import { ApiError } from '@parley/messenger';
import { displaySentence } from '../../display.ts';
import { untilInterrupted } from '../../interrupt.ts';
import type { Words } from '../../messages/index.ts';
import { show } from '../../print.ts';
import { answer } from './answer.ts';

interface Service {
  readonly bundle: Bundle;
  readonly manifest: Manifest;
  readonly agentId: string;
  readonly token: string;
  readonly baseUrl: string;
}

/** Runs until Ctrl-C. Status lines go to standard error, because standard output is for the result. */
export async function serve({ bundle, manifest, ...access }: Service, words: Words): Promise<void> {
  const tell = (text: string) => void show(process.stderr, () => `${text}\n`).catch(() => {});
  const agent = await HasheeAgent.init({
    ...access,
    connectionMode: 'websocket',
    onKeyGenerated: (fingerprint) => tell(words.say('agent_run.fingerprint', { fingerprint })),
    onError: (error) => tell(words.say('agent_run.problem', { reason: displaySentence(reasonOf(error)) })),
  });
  agent.addStatusHandler((status) => tell(words.say('agent_run.status', { status })));
  agent.addMessageHandler(async ({ conversation_id: id, payload }) => {
    const text = await answer({ agent, bundle, manifest }, id, payload.text ?? '');
    await agent.send(id, { type: 'text', text });
  });
  tell(words.say('agent_run.running'));
  await untilInterrupted();
  await agent.disconnect();
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.code}: ${error.message}` : error instanceof Error ? error.message : 'UNKNOWN';
