import { createPublicKey, verify } from 'node:crypto';
import { canonicalise } from '@parley/documents';
import type { agentRoutes, BodyOf, ReplyOf } from '@parley/protocol';
import { Failure } from '../http/failure.ts';
import type { Platform } from '../platform.ts';
import { noteModeWeakened } from '../relations/mode.ts';
import type { Trx } from '../storage/database.ts';
import { lockAgent } from './store.ts';

type Route = typeof agentRoutes.setIdentity;
type Identity = BodyOf<Route>;

const PURPOSE = 'parley-connection-mode-v1';

/** EE-7: the agent itself says how it is connected; the server can neither make nor alter that. */
export async function setIdentity(platform: Platform, agentId: string, identity: Identity): Promise<ReplyOf<Route>> {
  checkSignature(agentId, identity);
  const wake = await platform.db.transaction().execute(async (trx) => {
    const agent = await lockAgent(trx, agentId);
    if (agent.identity_key !== identity.identity_key) await dropPrekeys(trx, agentId);
    await trx
      .updateTable('agents')
      .set({ ...identity, updated_at: platform.now() })
      .where('id', '=', agentId)
      .execute();
    const weakened = agent.connection_mode !== 'webhook' && identity.connection_mode === 'webhook';
    return weakened ? noteModeWeakened(trx, platform, agentId) : () => {};
  });
  wake();
  return { agent_id: agentId, ...identity };
}

function checkSignature(agentId: string, identity: Identity): void {
  const { connection_mode, connection_mode_signature } = identity;
  const signed = canonicalise({ agent_id: agentId, connection_mode, purpose: PURPOSE });
  const signature = Buffer.from(connection_mode_signature, 'base64url');
  if (!verify(null, Buffer.from(signed), readKey(identity.identity_key), signature)) throw refuse();
}

function readKey(x: string) {
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  } catch {
    throw refuse();
  }
}

function refuse(): Failure {
  const violation = { in: 'body', path: '/connection_mode_signature', keyword: 'signature' };
  return new Failure('BAD_REQUEST', {}, { details: { violations: [violation] } });
}

/** They are signed by the key that is gone. */
async function dropPrekeys(trx: Trx, agentId: string): Promise<void> {
  for (const table of ['signed_prekeys', 'one_time_prekeys'] as const) {
    await trx.deleteFrom(table).where('owner_kind', '=', 'agent').where('owner_id', '=', agentId).execute();
  }
}
