import { type PartialKit, present } from '../partial.ts';
import type { LevelReport } from '../reports.ts';
import { RKT_VERSION } from '../schema.ts';
import { findCycle } from './cycle.ts';
import type { Context, LevelCheck } from './level.ts';

const FULL_DIGEST = 'sha256:'.length + 64;

/** Checks the protocol version, references to kits, cycles and digests (BV-3). */
export const dependencies: LevelCheck = {
  level: 'L3',
  name: { en: 'dependencies', 'zh-CN': '依赖兼容' },
  check(context, report) {
    const { bundle, names, surroundings } = context;
    checkProtocol(bundle.rktVersion, report);
    for (const [index, role] of present(bundle.roles)) checkKits(role.kits, `/roles/${index}/kits`, context, report);
    for (const [index, kit] of present(bundle.kits)) {
      const path = `/kits/${index}`;
      checkKits(kit.dependsOn, `${path}/dependsOn`, context, report);
      checkDigest(kit, `${path}/mirror/digest`, surroundings.kitDigests, report);
    }
    const cycle = findCycle([...names.kits.keys()], (id) => names.kits.get(id)?.dependsOn ?? []);
    if (cycle !== undefined) report.add('DEPENDENCY_CYCLE', '/kits', { ids: cycle.join(' → ') });
  },
};

/** Minor versions only add optional fields, so a newer one can be read. */
function checkProtocol(version: string | undefined, report: LevelReport): void {
  if (version === undefined) return;
  const [major, minor] = version.split('.');
  const [supported, newest] = RKT_VERSION.split('.');
  if (major !== supported) {
    report.add('RKT_MAJOR_UNSUPPORTED', '/rktVersion', { version, supported: supported! });
  } else if (Number(minor) > Number(newest)) {
    report.add('RKT_MINOR_NEWER', '/rktVersion', { version, supported: RKT_VERSION });
  }
}

function checkKits(
  ids: readonly (string | undefined)[] | undefined,
  path: string,
  { names }: Context,
  report: LevelReport,
): void {
  for (const [index, id] of present(ids)) {
    if (!names.kits.has(id)) report.add('KIT_UNKNOWN', `${path}/${index}`, { id });
  }
}

function checkDigest(
  { id, mirror }: PartialKit,
  path: string,
  digests: ReadonlyMap<string, string> | undefined,
  report: LevelReport,
): void {
  const digest = mirror?.digest;
  if (digest === undefined) return;
  if (digest.length < FULL_DIGEST) report.add('DIGEST_SHORT', path, { digits: digest.length - 'sha256:'.length });
  const actual = id === undefined ? undefined : digests?.get(id);
  if (actual !== undefined && !actual.startsWith(digest)) {
    report.add('DIGEST_MISMATCH', path, { id: id!, actualDigest: actual });
  }
}
