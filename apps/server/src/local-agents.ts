import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLocalAgent, type LocalAgentOptions, type Server } from '@parley/server';
import { type ChildAgent, startChildAgent } from './child-agent.ts';
import type { Settings } from './environment.ts';
import { manifestFile, programFile } from './layout.ts';
import type { LOCAL_AGENTS } from './local-agent-names.ts';
import { mayMakeNewKeys } from './new-keys.ts';

/** A program that is an agent, built with its manifest beside it. */
interface Program extends Omit<LocalAgentOptions, 'manifest' | 'tokenFile'> {
  /** The name of the built program, and of its files in the data folder. */
  readonly file: (typeof LOCAL_AGENTS)[number];
}

/** DemoBot gives people an agent to talk to from the first minute. */
const DEMO_BOT: Program = {
  name: 'DemoBot',
  description: 'Shows how agents ask: “what is on https://example.com”, “notify me to drink water”, “where am I”.',
  file: 'demo-bot',
};

/** Hashee is the platform's own agent (SA-1). */
const HASHEE: Program = {
  name: 'Hashee',
  description: 'Looks after your agents: “update DemoBot’s capability manifest”, “更新 DemoBot 的能力清单”.',
  file: 'hashee',
  system: true,
};

/** Starts the agents that the settings ask for, except those that an operator has banned. */
export async function startLocalAgents(
  server: Server,
  { dataDir, demoBot, systemAgent }: Settings,
): Promise<readonly ChildAgent[]> {
  const programs = [...(systemAgent ? [HASHEE] : []), ...(demoBot ? [DEMO_BOT] : [])];
  const agents: ChildAgent[] = [];
  for (const program of programs) {
    const agent = await start(server, program, dataDir);
    if (agent !== undefined) agents.push(agent);
  }
  return agents;
}

async function start(
  { platform, url }: Server,
  { file, ...agent }: Program,
  dataDir: string,
): Promise<ChildAgent | undefined> {
  const manifest: unknown = JSON.parse(readFileSync(manifestFile(file), 'utf8'));
  const found = await ensureLocalAgent(platform, { ...agent, manifest, tokenFile: join(dataDir, `${file}.token`) });
  if (found === undefined) return undefined;
  const { agentId, token, identityKey } = found;
  return startChildAgent({
    name: file,
    program: programFile(file),
    dataDir,
    env: {
      PARLEY_URL: url,
      PARLEY_AGENT_ID: agentId,
      PARLEY_AGENT_TOKEN: token,
      PARLEY_KEYSTORE: join(dataDir, file),
      ...(mayMakeNewKeys({ name: file, dataDir, agentId, identityKey }) ? { PARLEY_REPLACE_IDENTITY: 'true' } : {}),
    },
  });
}
