import { readAcceptLanguage } from '@parley/base';
import { agentRoutes, type BodyOf } from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { accountOf, type Caller, requireHuman } from '../http/caller.ts';
import { readIdempotencyKey } from '../http/idempotency.ts';
import { networkOf } from '../http/network-of.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { findAllowed, findVisible, type Role } from './access.ts';
import { createAgent } from './create.ts';
import { readCursor } from './cursor.ts';
import { diffVersions, listVersions, readVersion } from './history.ts';
import { setIdentity } from './identity.ts';
import { deleteAgent, resumeAgent, suspendAgent } from './lifecycle.ts';
import { acceptManifest } from './manifest.ts';
import { checkName } from './name.ts';
import { readPrecondition } from './precondition.ts';
import { reserveForManifest } from './room.ts';
import { searchAgents } from './search.ts';
import { loadAgent } from './store.ts';
import { listTokens, revokeToken, rotateToken } from './tokens.ts';
import { updateAgent } from './update.ts';
import { wireAgent } from './wire.ts';

const PAGE = '20';
const OVERLAP_SECONDS = 3_600;

export function registerAgents(router: Router, platform: Platform): void {
  addAgents(router, platform);
  addHistory(router, platform);
  addOwnership(router, platform);
}

function addAgents(router: Router, platform: Platform): void {
  const { db } = platform;
  router.add(agentRoutes.createAgent, async ({ caller, body, headers }) => {
    const human = requireHuman(caller);
    const locale = readAcceptLanguage(headers['accept-language']);
    return createAgent(platform, { ownerId: human.accountId, caller: human, fields: body, locale });
  });

  router.add(agentRoutes.searchAgents, async ({ caller, query }) => {
    const { q, tool, scope, flag, max_sensitivity, mine, built_in, cursor, limit = PAGE } = query;
    return searchAgents(db, {
      ownerId: mine === 'true' ? requireHuman(caller).accountId : undefined,
      builtIn: built_in === 'true',
      text: q,
      tool,
      scope,
      flag,
      maxSensitivity: max_sensitivity,
      after: cursor === undefined ? undefined : readCursor(cursor),
      limit: Number(limit),
    });
  });

  router.add(agentRoutes.readAgent, async ({ caller, params, headers, setHeader }) => {
    const { agentId, role } = await findVisible(db, caller, params.agent_id);
    const agent = await loadAgent(db, agentId);
    if (agent.capability_manifest_hash !== null) setHeader('etag', `"${agent.capability_manifest_hash}"`);
    return wireAgent(agent, { role, locale: readAcceptLanguage(headers['accept-language']) });
  });

  router.addWithoutTurn(agentRoutes.updateAgent, async ({ caller, params, body, headers, setHeader }) => {
    const roles: readonly Role[] = ['owner', 'self'];
    const { agentId, ownerId } = await findAllowed(db, { caller, agentId: params.agent_id, roles });
    const locale = readAcceptLanguage(headers['accept-language']);
    const { capability_manifest: manifest, ...fields } = readUpdate(body);
    if (fields.name !== undefined) checkName(fields.name);
    const ifMatch = headers['if-match'];
    const account = ownerId;
    const accepted =
      manifest === undefined ? undefined : await acceptManifest(platform, { value: manifest, account, locale });
    const request = ['PATCH agent', agentId, ifMatch ?? null, body as never];
    const idempotencyKey = readIdempotencyKey({ caller, headers }, request);
    const bytes = (accepted?.text.length ?? 0) + (idempotencyKey === undefined ? 0 : ROW_BYTES.idempotencyKey);
    if (bytes > 0) await reserveForManifest(platform, { agentId, ownerId, bytes });
    const reply = await updateAgent(platform, {
      agentId,
      ownerId,
      ...fields,
      accepted,
      precondition: readPrecondition(ifMatch),
      idempotencyKey,
      locale,
    });
    if (reply.capability_manifest_hash !== null) setHeader('etag', `"${reply.capability_manifest_hash}"`);
    return reply;
  });

  router.add(agentRoutes.setIdentity, async ({ caller, params, body }) => {
    const { agentId } = await findAllowed(db, { caller, agentId: params.agent_id, roles: ['self'] });
    return setIdentity(platform, agentId, body);
  });
}

const FIELDS: readonly string[] = ['capability_manifest', 'name', 'description', 'visibility'];

/** Accepts fields, or a bare manifest (RL-2), which the contract recognises by one field of a manifest. */
function readUpdate(body: BodyOf<typeof agentRoutes.updateAgent>): agentRoutes.AgentFields {
  return Object.keys(body).every((key) => FIELDS.includes(key)) ? body : { capability_manifest: body };
}

function addHistory(router: Router, platform: Platform): void {
  const { db } = platform;
  router.add(agentRoutes.listManifests, async ({ caller, params, query: { cursor, limit = PAGE } }) => {
    const { agentId } = await findVisible(db, caller, params.agent_id);
    const before = cursor === undefined ? undefined : Number(cursor);
    return listVersions(db, { agentId, before, limit: Number(limit) });
  });

  router.add(agentRoutes.readManifest, async ({ caller, params, setHeader }) => {
    const { agentId } = await findVisible(db, caller, params.agent_id);
    const version = await readVersion(db, agentId, Number(params.version));
    setHeader('etag', `"${version.capability_manifest_hash}"`);
    return version;
  });

  router.addWithoutTurn(agentRoutes.diffManifestVersions, async ({ caller, params, query, headers, address }) => {
    const { agentId } = await findVisible(db, caller, params.agent_id);
    const { from, to, policy = 'spec', locale = readAcceptLanguage(headers['accept-language']) } = query;
    return diffVersions(platform, {
      agentId,
      account: caller.kind === 'anonymous' ? networkOf(address) : accountOf(caller),
      from: from === undefined ? undefined : Number(from),
      to: to === undefined ? undefined : Number(to),
      policy,
      locale,
    });
  });
}

function addOwnership(router: Router, platform: Platform): void {
  const { db } = platform;
  const roles: readonly Role[] = ['owner'];
  const owned = async (caller: Caller, agentId: string) => (await findAllowed(db, { caller, agentId, roles })).agentId;

  router.add(agentRoutes.deleteAgent, async ({ caller, params }) => {
    await deleteAgent(platform, await owned(caller, params.agent_id));
    return null;
  });
  router.add(agentRoutes.suspendAgent, async ({ caller, params }) =>
    suspendAgent(platform, await owned(caller, params.agent_id)),
  );
  router.add(agentRoutes.resumeAgent, async ({ caller, params }) =>
    resumeAgent(platform, await owned(caller, params.agent_id)),
  );

  router.add(agentRoutes.rotateToken, async ({ caller, params, body }) =>
    rotateToken(platform, await findAllowed(db, { caller, agentId: params.agent_id, roles }), {
      overlapSeconds: body?.overlap_seconds ?? OVERLAP_SECONDS,
      caller: requireHuman(caller),
    }),
  );
  router.add(agentRoutes.listTokens, async ({ caller, params, query }) =>
    listTokens(platform, await owned(caller, params.agent_id), query.cursor),
  );
  router.add(agentRoutes.revokeToken, async ({ caller, params }) => {
    await revokeToken(platform, await owned(caller, params.agent_id), params.token_id);
    return null;
  });
}
