import type { Locale } from '@parley/base';
import { compareVersions } from '@parley/documents/skill';
import { RequestError } from '../http/request-error.ts';
import { wirePublisher } from '../people/publisher.ts';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { VisibleSkill } from './access.ts';
import { refresh } from './publish.ts';
import { wireChange, wireVersion } from './wire.ts';

export async function readSkill(db: Db, skill: VisibleSkill) {
  const versions = await db
    .selectFrom('skill_versions')
    .select(['version', 'digest', 'access', 'yanked', 'created_at'])
    .where('skill_id', '=', skill.id)
    .execute();
  const sorted = versions.sort((a, b) => compareVersions(b.version, a.version));
  // If all versions were yanked, someone who asks for the skill by name still gets the highest.
  const version = skill.version ?? sorted[0]!.version;
  const { descriptor, digest } = await readVersion(db, skill.id, version);
  return {
    descriptor: JSON.parse(descriptor) as unknown,
    version,
    digest,
    access: skill.access,
    owned: skill.owned,
    owner: wirePublisher(
      { owner_id: skill.ownerId, owner_name: skill.ownerName },
      skill.owned ? skill.ownerId : undefined,
    ),
    versions: sorted.map(wireVersion),
  };
}

export async function readVersion(db: Db | Trx, skillId: string, version: string) {
  const row = await db
    .selectFrom('skill_versions')
    .selectAll()
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('SKILL_NOT_FOUND');
  return row;
}

interface DiffRequest {
  readonly skillId: string;
  /** Whoever asks, whose processor time it costs. */
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly locale: Locale;
}

export async function diffVersions(
  { db, manifests }: Pick<Platform, 'db' | 'manifests'>,
  { skillId, account, from, to, locale }: DiffRequest,
) {
  const [before, after] = await Promise.all([readVersion(db, skillId, from), readVersion(db, skillId, to)]);
  const readTexts = async () => ({ before: before.descriptor, after: after.descriptor });
  const { breaking, changes } = await manifests.diffSkills(account, {
    before: before.digest,
    after: after.digest,
    locale,
    readTexts,
  });
  return { breaking, changes: changes.map(wireChange) };
}

export async function setYanked(
  { db, now }: Platform,
  { skillId, version, yanked }: { skillId: string; version: string; yanked: boolean },
) {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('skills').select('id').where('id', '=', skillId).forUpdate().execute();
    await readVersion(trx, skillId, version);
    await trx
      .updateTable('skill_versions')
      .set({ yanked })
      .where('skill_id', '=', skillId)
      .where('version', '=', version)
      .execute();
    await refresh(trx, skillId, now());
    return wireVersion(await readVersion(trx, skillId, version));
  });
}
