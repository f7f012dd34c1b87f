import { readAcceptLanguage } from '@parley/base';
import { PROTOCOL_VERSION, type SkillDescriptor } from '@parley/documents/skill';
import { skillRoutes } from '@parley/protocol';
import { accountOf, requireHuman } from '../http/caller.ts';
import { acceptsNdjson, createNdjsonReplies } from '../http/ndjson.ts';
import { networkOf } from '../http/network-of.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { readRankCursor } from '../search/rank-cursor.ts';
import { findOwnSkill, findSkill } from './access.ts';
import { disentitle, entitle, listEntitled } from './entitlements.ts';
import { createInvoker } from './invoke.ts';
import { claimNamespace, listNamespaces } from './namespaces.ts';
import { publishSkill } from './publish.ts';
import { diffVersions, readSkill, readVersion, setYanked } from './read.ts';
import { countTags, listHostSkills, searchSkills } from './search.ts';

const PAGE = '20';

/** The registry of skills (SD-7, SD-8). */
export function registerSkills(router: Router, platform: Platform): void {
  addPublishing(router, platform);
  addReading(router, platform);
  addInvoking(router, platform);
}

function addPublishing(router: Router, platform: Platform): void {
  const { db } = platform;
  router.add(skillRoutes.claimNamespace, async ({ caller, body: { namespace, host = false } }) => {
    const { accountId, role } = requireHuman(caller);
    if (host && role !== 'admin') throw new RequestError('FORBIDDEN');
    return claimNamespace(platform, { namespace, ownerId: accountId, host });
  });
  router.add(skillRoutes.listNamespaces, async ({ caller }) => ({
    namespaces: await listNamespaces(platform, requireHuman(caller).accountId),
  }));
  router.add(skillRoutes.publishSkill, async ({ caller, body, headers }) =>
    publishSkill(platform, {
      value: body,
      ownerId: requireHuman(caller).accountId,
      locale: readAcceptLanguage(headers['accept-language']),
    }),
  );
  router.add(skillRoutes.yankSkillVersion, async ({ caller, params, body: { yanked } }) => {
    const { id } = await findOwnSkill(db, caller, params.skill_id);
    return setYanked(platform, { skillId: id, version: params.version, yanked });
  });
  router.add(skillRoutes.listEntitled, async ({ caller, params }) => {
    const { id, ownerId } = await findOwnSkill(db, caller, params.skill_id);
    return { entitlements: await listEntitled(platform, { skillId: id, ownerId }) };
  });
  router.add(skillRoutes.entitle, async ({ caller, params }) => {
    const { id, ownerId } = await findOwnSkill(db, caller, params.skill_id);
    await entitle(platform, { skillId: id, ownerId, accountId: params.account_id });
    return null;
  });
  router.add(skillRoutes.disentitle, async ({ caller, params }) => {
    const { id } = await findOwnSkill(db, caller, params.skill_id);
    await disentitle(platform, id, params.account_id);
    return null;
  });
}

function addReading(router: Router, platform: Platform): void {
  const { db, config } = platform;
  router.add(skillRoutes.searchSkills, async ({ caller, query }) => {
    const { q, type, tag, provider, mine, cursor, limit = PAGE } = query;
    return searchSkills(platform, {
      caller,
      text: q,
      type,
      tag,
      provider,
      ownerId: mine === 'true' ? requireHuman(caller).accountId : undefined,
      after: cursor === undefined ? undefined : readRankCursor(cursor),
      limit: Number(limit),
    });
  });
  router.add(skillRoutes.listSkillTags, async ({ caller }) => ({ tags: await countTags(platform, caller) }));
  router.add(skillRoutes.readSkill, async ({ caller, params }) =>
    readSkill(db, await findSkill(db, caller, params.skill_id)),
  );
  router.add(skillRoutes.readSkillVersion, async ({ caller, params, setHeader }) => {
    const { id, access } = await findSkill(db, caller, params.skill_id);
    const row = await readVersion(db, id, params.version);
    setHeader('etag', `"${row.digest}"`);
    // A version never changes, but who may see it does.
    setHeader('cache-control', access === 'private' ? 'private, no-cache' : 'public, max-age=300');
    return JSON.parse(row.descriptor) as unknown;
  });
  router.addWithoutTurn(skillRoutes.diffSkillVersions, async ({ caller, params, query, headers, address }) => {
    const { id } = await findSkill(db, caller, params.skill_id);
    const account = caller.kind === 'anonymous' ? networkOf(address) : accountOf(caller);
    const locale = readAcceptLanguage(headers['accept-language']);
    return diffVersions(platform, { skillId: id, account, ...query, locale });
  });
  router.add(skillRoutes.skillIndex, async ({ caller }) => ({
    protocol: { version: PROTOCOL_VERSION },
    provider: { name: new URL(config.publicUrl).host, url: config.publicUrl },
    skills: await listHostSkills(platform, caller),
  }));
}

function addInvoking(router: Router, platform: Platform): void {
  const { db } = platform;
  const { invoke, invokeStreaming } = createInvoker(platform.config);
  const openLines = createNdjsonReplies(router.app);
  router.addWithoutTurn(
    skillRoutes.invokeSkill,
    async ({ caller, params, body, headers, id: requestId, log, setHeader }) => {
      const { accountId } = requireHuman(caller);
      const { id, version } = await findSkill(db, caller, params.skill_id);
      const row = await readVersion(db, id, body.version ?? version ?? '');
      const descriptor = JSON.parse(row.descriptor) as SkillDescriptor;
      const invocation = {
        descriptor,
        accountId,
        body,
        locale: readAcceptLanguage(headers['accept-language']),
        requestId,
      };
      return acceptsNdjson(headers) ? invokeStreaming(invocation, () => openLines(setHeader), log) : invoke(invocation);
    },
  );
}
