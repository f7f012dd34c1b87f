import { isSemVer } from '../capability/semver.ts';
import type { SkillDescriptor } from './descriptor.ts';

/** The protocol version that this code implements. */
export const PROTOCOL_VERSION = '1.0.0';

/** The details of VERSION_INCOMPATIBLE (SD-6). */
export interface Incompatibility {
  readonly descriptor_version: string;
  readonly consumer_supported_range: string;
  readonly upgrade_url?: string;
}

/** Returns undefined if the protocol versions are compatible, which means that their majors are equal (SD-6). */
export function findIncompatibility(
  protocol: SkillDescriptor['protocol'],
  supported: string = PROTOCOL_VERSION,
): Incompatibility | undefined {
  const [own, other] = [majorOf(supported), majorOf(protocol.version)];
  if (own === other) return undefined;
  return {
    descriptor_version: protocol.version,
    consumer_supported_range: `>=${own}.0.0 <${own + 1n}.0.0`,
    ...(protocol.changelog_url === undefined ? {} : { upgrade_url: protocol.changelog_url }),
  };
}

/** Returns a big integer: a version may have more digits than a number holds. */
export function majorOf(version: string): bigint {
  if (!isSemVer(version)) throw new TypeError('majorOf: version is not SemVer 2.0.0');
  return BigInt(version.slice(0, version.indexOf('.')));
}

/** Compares by precedence (SemVer 2.0.0, section 11): below, at or above 0. Build metadata does not count. */
export function compareVersions(a: string, b: string): number {
  const [one, two] = [split(a), split(b)];
  for (const index of [0, 1, 2]) {
    const order = compareNumbers(one.core[index]!, two.core[index]!);
    if (order !== 0) return order;
  }
  if (one.prerelease.length === 0 || two.prerelease.length === 0) {
    return Math.sign(two.prerelease.length - one.prerelease.length);
  }
  for (const [index, identifier] of one.prerelease.entries()) {
    const other = two.prerelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return one.prerelease.length === two.prerelease.length ? 0 : -1;
}

function split(version: string): { core: string[]; prerelease: string[] } {
  if (!isSemVer(version)) throw new TypeError('compareVersions: not SemVer 2.0.0');
  const [precedence] = version.split('+', 1) as [string];
  const at = precedence.indexOf('-');
  if (at < 0) return { core: precedence.split('.'), prerelease: [] };
  return { core: precedence.slice(0, at).split('.'), prerelease: precedence.slice(at + 1).split('.') };
}

function compareIdentifiers(a: string, b: string): number {
  const [numeric, other] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numeric && other) return compareNumbers(a, b);
  if (numeric !== other) return numeric ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Without leading zeros, the longer number is larger. */
function compareNumbers(a: string, b: string): number {
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
