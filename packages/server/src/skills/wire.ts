import type { DescriptorChange, Violation } from '@parley/documents/skill';
import type { ReplyOf, skillRoutes } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { Database } from '../storage/tables.ts';

// Only this file converts rows to what is sent.

type Found = ReplyOf<typeof skillRoutes.searchSkills>['skills'][number];
type Entry = ReplyOf<typeof skillRoutes.skillIndex>['skills'][number];
type VersionRow = Selectable<Database['skill_versions']>;
export type SkillRow = Pick<
  Selectable<Database['skills']>,
  'id' | 'name' | 'capability_type' | 'description' | 'access' | 'provider' | 'tags' | 'updated_at'
> & { readonly version: string };

export function wireEntry(row: SkillRow, descriptorUrl: string): Entry {
  return {
    id: row.id,
    name: row.name,
    capability_type: row.capability_type as Entry['capability_type'],
    description: row.description,
    descriptor_url: descriptorUrl,
    access: row.access,
    version: row.version,
  };
}

export function wireFound(row: SkillRow, descriptorUrl: string): Omit<Found, 'owner'> {
  const { provider, tags, updated_at } = row;
  return { ...wireEntry(row, descriptorUrl), provider, tags, updated_at: updated_at.toISOString() };
}

export function wireVersion(row: Pick<VersionRow, 'version' | 'digest' | 'access' | 'yanked' | 'created_at'>) {
  const { version, digest, access, yanked, created_at } = row;
  return { version, digest, access, yanked, created_at: created_at.toISOString() };
}

export function wireViolation({ code, field, expected, actual, message }: Violation) {
  return { code, field, expected, actual, message };
}

export function wireChange({ code, path, side, breaking, message }: DescriptorChange) {
  return { code, path, side, breaking, message };
}
