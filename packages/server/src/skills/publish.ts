import type { Locale } from '@parley/base';
import { canonicalise, hashCanonical, type Json } from '@parley/documents';
import { compareVersions, diffDescriptors, type SkillDescriptor, validateDescriptor } from '@parley/documents/skill';
import { sql } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { toVector } from '../search/terms.ts';
import type { Trx } from '../storage/database.ts';
import { lockNamespace } from './namespaces.ts';
import { wireChange, wireViolation } from './wire.ts';

const MAX_VERSIONS = 1_000;
const MAX_SKILLS = 1_000;

interface Publication {
  readonly value: unknown;
  readonly ownerId: string;
  readonly locale: Locale;
}

/** Publishes a version (SD-7). Publishing the same content again changes nothing. */
export async function publishSkill(platform: Platform, { value, ownerId, locale }: Publication) {
  const { config, db } = platform;
  const checked = validateDescriptor(value, { development: config.development, locale });
  if (checked.descriptor === undefined) {
    const violations = checked.violations.map(wireViolation);
    throw new RequestError('VALIDATION_ERROR', {}, { status: 422, details: { details: { violations } } });
  }
  const { descriptor } = checked;
  const digest = hashCanonical(value as Json);
  await platform.budgets.reserveBytes(ownerId, JSON.stringify(descriptor).length);
  const changes = await db.transaction().execute(async (trx) => {
    const { host } = await lockNamespace(trx, ownerId, descriptor.id);
    const versions = await readVersions(trx, descriptor.id);
    const same = versions.find(({ version }) => compareVersions(version, descriptor.version) === 0);
    if (same?.digest === digest) return [];
    if (same !== undefined) throw new RequestError('VERSION_EXISTS', { version: descriptor.version });
    if (versions.length >= MAX_VERSIONS) throw new RequestError('LIMIT_REACHED', { limit: MAX_VERSIONS });
    if (versions.length === 0) await checkLimit(trx, ownerId);
    const found = await compareWithPrevious(trx, { descriptor, versions, locale });
    await store(trx, platform, { descriptor, digest, ownerId, host });
    return found;
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

export function descriptorUrl(publicUrl: string, { id, version }: { id: string; version: string }): string {
  return new URL(`/skills/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`, publicUrl).href;
}

interface Version {
  readonly version: string;
  readonly digest: string;
}

function readVersions(trx: Trx, skillId: string): Promise<Version[]> {
  return trx.selectFrom('skill_versions').select(['version', 'digest']).where('skill_id', '=', skillId).execute();
}

async function checkLimit(trx: Trx, ownerId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('skills')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SKILLS) throw new RequestError('LIMIT_REACHED', { limit: MAX_SKILLS });
}

/** Compares with the version that its callers would upgrade from: the highest lower one. */
async function compareWithPrevious(
  trx: Trx,
  { descriptor, versions, locale }: { descriptor: SkillDescriptor; versions: readonly Version[]; locale: Locale },
) {
  const below = versions
    .filter(({ version }) => compareVersions(version, descriptor.version) < 0)
    .sort((a, b) => compareVersions(a.version, b.version))
    .at(-1);
  if (below === undefined) return [];
  const previous = await readDescriptor(trx, descriptor.id, below.version);
  const { changes, versionProblem } = diffDescriptors(previous, descriptor, { locale });
  if (versionProblem === 'major_needed') {
    const breaking = changes.filter((change) => change.breaking).map(wireChange);
    throw new RequestError('VERSION_BUMP_NEEDED', { previous: previous.version }, { details: { changes: breaking } });
  }
  return changes;
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
  const { descriptor } = await trx
    .selectFrom('skill_versions')
    .select('descriptor')
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return JSON.parse(descriptor) as SkillDescriptor;
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
