import { get, type JsonObject } from '../json/value.ts';
import { RKT_VERSION } from './schema.ts';

/**
 * Functions that bring a bundle of an older major version to the current one, by major version. There is no other
 * version yet.
 */
export type Migrations = ReadonlyMap<string, (bundle: JsonObject) => JsonObject>;

/** Returns the bundle in the current version, and the version it came from if that was another. */
export function migrate(bundle: JsonObject, migrations: Migrations): { bundle: JsonObject; from?: string } {
  const from = get(bundle, 'rktVersion');
  if (typeof from !== 'string') return { bundle };
  const change = migrations.get(from.split('.', 1)[0]!);
  return change === undefined ? { bundle } : { bundle: { ...change(bundle), rktVersion: RKT_VERSION }, from };
}
