import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureLocalAgent, type Server } from '@parley/server';
import { type Companion, startCompanion } from './companion.ts';

/** Someone to talk to from the first minute. Undefined where an operator has banned it. */
export async function startDemoBot({ platform, url }: Server, dataDir: string): Promise<Companion | undefined> {
  const main = import.meta.resolve('@parley/demo-bot/main');
  const manifest: unknown = JSON.parse(readFileSync(new URL('../manifest.json', main), 'utf8'));
  const agent = await ensureLocalAgent(platform, {
    name: 'DemoBot',
    description: 'Shows how agents ask: “what is on https://example.com”, “notify me to drink water”, “where am I”.',
    manifest,
    tokenFile: join(dataDir, 'demo-bot.token'),
  });
  if (agent === undefined) return undefined;
  return startCompanion({
    name: 'demo-bot',
    program: fileURLToPath(main),
    dataDir,
    env: {
      PARLEY_URL: url,
      PARLEY_AGENT_ID: agent.agentId,
      PARLEY_AGENT_TOKEN: agent.token,
      PARLEY_KEYSTORE: join(dataDir, 'demo-bot'),
    },
  });
}
