import { readFileSync, statSync } from 'node:fs';
import type { Api } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { CommandError } from '../../command-error.ts';
import { writeFileAtomically } from '../../write-file.ts';
import type { Registration } from './register.ts';

/** Returns the stored token, the one that was just created, or a new one that revokes all earlier ones. */
export async function obtainToken(
  api: Api,
  { agentId, token }: Registration,
  file: string | undefined,
): Promise<string> {
  const kept = file === undefined ? undefined : readToken(file);
  // The token of an earlier agent is not valid for a new one.
  if (kept !== undefined && token === undefined) return kept;
  const fresh = token ?? (await rotate(api, agentId));
  if (file !== undefined) writeFileAtomically(file, `${fresh}\n`, true, 0o600);
  return fresh;
}

async function rotate(api: Api, agentId: string): Promise<string> {
  const reply = await api.call(agentRoutes.rotateToken, {
    params: { agent_id: agentId },
    body: { overlap_seconds: 0 },
  });
  return reply.token;
}

function readToken(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new CommandError('CREDENTIALS_EXPOSED', { params: { file } });
  }
  return readFileSync(file, 'utf8').trim();
}
