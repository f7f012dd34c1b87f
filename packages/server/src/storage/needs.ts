import { MIGRATIONS } from './migrations.ts';

/**
 * Migrations that contract, a release after the one that stopped using what they remove (OP-12): each with the migration
 * that a node must know in order to work afterwards. A node that does not know it says that it is not ready.
 */
const NEEDS: Readonly<Record<string, string>> = {};

export type SchemaState = 'ok' | 'not_migrated' | 'outdated';

/** Can this version work on a schema to which these migrations were applied? A newer node may have applied more. */
export function judgeSchema(
  applied: readonly { readonly name: string; readonly needs: string | null }[],
  known: Readonly<Record<string, string>> = MIGRATIONS,
): SchemaState {
  if (applied.some(({ needs }) => needs !== null && !Object.hasOwn(known, needs))) return 'outdated';
  const names = new Set(applied.map(({ name }) => name));
  return Object.keys(known).every((name) => names.has(name)) ? 'ok' : 'not_migrated';
}

/** The statements that apply a migration, and record it. */
export function writeMigration(name: string): string {
  const needs = NEEDS[name];
  const record = `insert into migrations (name) values ('${name}');`;
  const mark = needs === undefined ? '' : `update migrations set needs = '${needs}' where name = '${name}';`;
  return `${MIGRATIONS[name]!};\n${record}\n${mark}`;
}
