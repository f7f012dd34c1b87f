import type { Locale } from '@parley/base';
import { canonicalise, hashCanonical, type Json } from '@parley/documents';
import { compareVersions, type DescriptorDiff, type SkillDescriptor } from '@parley/documents/skill';
import { sql } from 'kysely';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { RequestError } from '../http/request-error.ts';
import { type ComparedWith, comparePublished, type PublishedVersion, requireCompared } from '../manifests/published.ts';
import type { Platform } from '../platform.ts';
import { toVector } from '../search/terms.ts';
import type { Db, Trx } from '../storage/database.ts';
import { lockNamespace } from './namespaces.ts';
import { wireChange, wireViolation } from './wire.ts';

const MAX_VERSIONS = 1_000;
const MAX_SKILLS = 1_000;

interface Publication {
  readonly value: unknown;
  readonly ownerId: string;
  readonly locale: Locale;
}

/**
 * Publishes a version (SD-7). Publishing the same content again changes nothing. It is compared with the version that its
 * callers would upgrade from, the highest lower one, before the transaction (OP-5).
 */
export async function publishSkill(platform: Platform, { value, ownerId, locale }: Publication) {
  const { config, db } = platform;
  const { development } = config;
  const checked = await platform.manifests.checkSkill(ownerId, { text: JSON.stringify(value), development, locale });
  if (checked.descriptor === undefined) {
    const violations = checked.violations.map(wireViolation);
    throw new RequestError('VALIDATION_ERROR', {}, { status: 422, details: { details: { violations } } });
  }
  const { descriptor } = checked;
  const digest = hashCanonical(value as Json);
  const text = JSON.stringify(descriptor);
  // The row of the skill, too: whether it has one is known later.
  await platform.budgets.reserveBytes(ownerId, ROW_BYTES.skill + ROW_BYTES.version + text.length);
  const changes = await comparePublished({
    version: descriptor.version,
    listVersions: () => listOwnVersions(db, ownerId, descriptor.id),
    diff: (below) =>
      platform.manifests.diffSkills(ownerId, {
        before: below.digest,
        after: digest,
        locale,
        readTexts: async () => ({ before: await readText(db, descriptor.id, below.version), after: text }),
      }),
    publish: (compared) => publish(platform, { descriptor, digest, ownerId, compared }),
  });
  return {
    id: descriptor.id,
    version: descriptor.version,
    digest,
    descriptor_url: descriptorUrl(config.publicUrl, descriptor),
    changes: changes.map(wireChange),
    warnings: checked.warnings.map(wireViolation),
  };
}

interface Compared {
  readonly descriptor: SkillDescriptor;
  readonly digest: string;
  readonly ownerId: string;
  readonly compared: ComparedWith<DescriptorDiff>;
}

function publish(platform: Platform, { descriptor, digest, ownerId, compared }: Compared) {
  return platform.db.transaction().execute(async (trx) => {
    const { host } = await lockNamespace(trx, ownerId, descriptor.id);
    const versions = await readVersions(trx, descriptor.id);
    const same = versions.find(({ version }) => compareVersions(version, descriptor.version) === 0);
    if (same?.digest === digest) return [];
    if (same !== undefined) throw new RequestError('VERSION_EXISTS', { version: descriptor.version });
    if (versions.length >= MAX_VERSIONS) throw new RequestError('LIMIT_REACHED', { limit: MAX_VERSIONS });
    if (versions.length === 0) await checkLimit(trx, ownerId);
    const diff = requireCompared(compared, versions, descriptor.version);
    if (diff?.versionProblem === 'major_needed') {
      const breaking = diff.changes.filter((change) => change.breaking).map(wireChange);
      const previous = compared.below!.version;
      throw new RequestError('VERSION_BUMP_NEEDED', { previous }, { details: { changes: breaking } });
    }
    await store(trx, platform, { descriptor, digest, ownerId, host });
    return diff?.changes ?? [];
  });
}

export function descriptorUrl(publicUrl: string, { id, version }: { id: string; version: string }): string {
  return new URL(`/skills/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`, publicUrl).href;
}

function readVersions(trx: Trx, skillId: string): Promise<PublishedVersion[]> {
  return trx.selectFrom('skill_versions').select(['version', 'digest']).where('skill_id', '=', skillId).execute();
}

/** None of a skill that is someone else's: whoever may not publish it learns nothing of it. */
function listOwnVersions(db: Db, ownerId: string, skillId: string): Promise<PublishedVersion[]> {
  return db
    .selectFrom('skill_versions as v')
    .innerJoin('skills as s', 's.id', 'v.skill_id')
    .select(['v.version', 'v.digest'])
    .where('v.skill_id', '=', skillId)
    .where('s.owner_id', '=', ownerId)
    .execute();
}

async function checkLimit(trx: Trx, ownerId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('skills')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SKILLS) throw new RequestError('LIMIT_REACHED', { limit: MAX_SKILLS });
}

interface Stored {
  readonly descriptor: SkillDescriptor;
  readonly digest: string;
  readonly ownerId: string;
  readonly host: boolean;
}

async function store(trx: Trx, { now }: Platform, { descriptor, digest, ownerId, host }: Stored): Promise<void> {
  const { id, version, access } = descriptor;
  const created_at = now();
  await trx
    .insertInto('skills')
    .values({ ...columnsOf(descriptor), id, owner_id: ownerId, host, access, version, updated_at: created_at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await trx
    .insertInto('skill_versions')
    .values({ skill_id: id, version, descriptor: canonicalise(descriptor as never), digest, access, created_at })
    .execute();
  await refresh(trx, id, created_at);
}

/** Derives what search shows, and who may see the skill, from its versions. */
export async function refresh(trx: Trx, skillId: string, now: Date): Promise<void> {
  const rows = await trx
    .selectFrom('skill_versions')
    .select(['version', 'access', 'yanked'])
    .where('skill_id', '=', skillId)
    .execute();
  const sorted = rows.sort((a, b) => compareVersions(a.version, b.version));
  const offered = sorted.filter((row) => !row.yanked);
  // A release is preferred to a later pre-release.
  const shown = offered.filter((row) => !/^[^+]*-/.test(row.version)).at(-1) ?? offered.at(-1);
  await trx
    .updateTable('skills')
    .set({
      access: sorted.at(-1)!.access,
      version: shown?.version ?? null,
      ...(shown === undefined ? {} : columnsOf(await readDescriptor(trx, skillId, shown.version))),
      updated_at: now,
    })
    .where('id', '=', skillId)
    .execute();
}

async function readDescriptor(trx: Trx, skillId: string, version: string): Promise<SkillDescriptor> {
  return JSON.parse(await readText(trx, skillId, version)) as SkillDescriptor;
}

async function readText(db: Db | Trx, skillId: string, version: string): Promise<string> {
  const { descriptor } = await db
    .selectFrom('skill_versions')
    .select('descriptor')
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return descriptor;
}

function columnsOf({ id, name, description, capability_type, provider, tags = [] }: SkillDescriptor) {
  const unique = [...new Set(tags)];
  const vector = toVector([
    ['A', [name, id]],
    ['B', [description, ...unique]],
    ['C', [provider.name]],
  ]);
  return {
    name,
    description,
    capability_type,
    provider: provider.name,
    tags: unique,
    search: sql<string>`${vector}::tsvector`,
  };
}
