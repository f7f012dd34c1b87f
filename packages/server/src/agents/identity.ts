import type { agentRoutes, BodyOf, ReplyOf } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import { isSigned } from '../keys/signature.ts';
import { dropPrekeys } from '../keys/store.ts';
import type { Platform } from '../platform.ts';
import { noteModeWeakened, reserveForWeakerMode } from '../relations/connection-mode.ts';
import { lockAgent } from './store.ts';

type Route = typeof agentRoutes.setIdentity;
type Identity = BodyOf<Route>;

const PURPOSE = 'parley-connection-mode-v1';

/** Stores the connection mode that the agent signed (EE-7); the server can neither make nor alter that statement. */
export async function setIdentity(platform: Platform, agentId: string, identity: Identity): Promise<ReplyOf<Route>> {
  checkSignature(agentId, identity);
  if (identity.connection_mode === 'webhook') await reserveForWeakerMode(platform, agentId);
  const wake = await platform.db.transaction().execute(async (trx) => {
    const agent = await lockAgent(trx, agentId);
    // The prekeys are signed by the old key.
    if (agent.identity_key !== identity.identity_key) await dropPrekeys(trx, 'agent', [agentId]);
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
  // The exchange key is part of it: whoever could replace that key could read what is sealed for it.
  const { connection_mode, exchange_key } = identity;
  const statement = { agent_id: agentId, connection_mode, exchange_key, purpose: PURPOSE };
  if (isSigned(statement, identity.connection_mode_signature, identity.identity_key)) return;
  const violation = { in: 'body', path: '/connection_mode_signature', keyword: 'signature' };
  throw new RequestError('BAD_REQUEST', {}, { details: { violations: [violation] } });
}
