import type { Locale } from '@parley/base';
import type { agentRoutes, BodyOf, ReplyOf } from '@parley/protocol';
import { createToken } from '../auth/agent-token.ts';
import { requireLiveSession } from '../auth/live-session.ts';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import type { Human } from '../http/caller.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import { acceptManifest } from './manifest.ts';
import { checkName } from './name.ts';
import { makeRoomForManifest, requireRoomForAgent } from './room.ts';
import { insertManifest, insertToken, searchColumns } from './store.ts';
import { storeWarnings, wireFinding } from './wire.ts';

type Route = typeof agentRoutes.createAgent;

interface NewAgent {
  readonly ownerId: string;
  /** Whose session it is made with; undefined for an agent of the server's own. */
  readonly caller?: Human;
  readonly fields: BodyOf<Route>;
  readonly locale: Locale;
  /** The id of the platform's own agent, which alone may declare reserved scopes (CM-10). */
  readonly systemId?: string;
}

/**
 * Creates an agent (RL-1). Without a manifest its version is 0 and it has no hash; the first manifest has version 1.
 */
export async function createAgent(
  platform: Platform,
  { ownerId, caller, fields, locale, systemId }: NewAgent,
): Promise<ReplyOf<Route>> {
  const { name, description = '', visibility = 'public', connection_mode = 'websocket' } = fields;
  checkName(name);
  const submitted = { account: ownerId, locale, platform: systemId !== undefined };
  const accepted =
    'capability_manifest' in fields
      ? await acceptManifest(platform, { value: fields.capability_manifest, ...submitted })
      : undefined;
  const now = platform.now();
  const agentId = systemId ?? createId(now);
  const tokenId = createId(now);
  const { token, tokenHash } = createToken();
  const version = accepted === undefined ? 0 : 1;
  const hash = accepted?.hash ?? null;
  const manifest = accepted?.manifest ?? null;
  const warnings = accepted?.warnings ?? [];
  await platform.budgets.reserveBytes(ownerId, ROW_BYTES.agent + (accepted?.text.length ?? 0));

  await platform.db.transaction().execute(async (trx) => {
    if (caller !== undefined) await requireLiveSession(trx, caller, now);
    await requireRoomForAgent(trx, platform, ownerId);
    if (accepted !== undefined) await makeRoomForManifest(trx, platform, { agentId, ownerId, version: 0 });
    await trx
      .insertInto('agents')
      .values({
        id: agentId,
        owner_id: ownerId,
        name,
        description,
        visibility,
        connection_mode,
        capability_manifest: manifest === null ? null : JSON.stringify(manifest),
        capability_manifest_version: version,
        capability_manifest_hash: hash,
        warnings: storeWarnings(warnings),
        ...searchColumns({ name, description, manifest }),
        created_at: now,
        updated_at: now,
      })
      .execute();
    if (accepted !== undefined) await insertManifest(trx, { agentId, version, ...accepted, breaking: false, now });
    await insertToken(trx, { tokenId, agentId, tokenHash, now });
  });

  platform.agentEvents.record(agentId, { type: 'token.created', token_id: tokenId });
  if (hash !== null)
    platform.agentEvents.record(agentId, { type: 'manifest.pushed', version, hash, breaking_changes: 0 });
  return {
    agent_id: agentId,
    name,
    token,
    token_id: tokenId,
    visibility,
    connection_mode,
    capability_manifest_version: version,
    capability_manifest_hash: hash,
    warnings: warnings.map(wireFinding),
    created_at: now.toISOString(),
  };
}
