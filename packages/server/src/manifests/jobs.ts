import type { Locale } from '@parley/base';
import {
  diffManifests,
  hashManifest,
  type Json,
  type Manifest,
  type ManifestDiff,
  type Message,
  type Policy,
  validateManifest,
} from '@parley/documents';

/** Manifests travel as JSON text: it is copied faster than objects, and read where there is time. */
export type Job = CheckJob | DiffJob;

export interface CheckJob {
  readonly kind: 'check';
  readonly text: string;
  readonly locale: Locale;
  /** Only for the manifest that comes with the server itself, never for a submitted one (CM-10). */
  readonly platform: boolean;
}

export interface DiffJob {
  readonly kind: 'diff';
  /** Null for an agent without a manifest, which can ask for nothing. */
  readonly before: string | null;
  readonly after: string;
  readonly policy: Policy;
  readonly locale: Locale;
}

export interface Checked {
  readonly findings: readonly Message[];
  /** Undefined if the manifest is not valid. */
  readonly hash: string | undefined;
  /** Does it contain U+0000? */
  readonly holdsNul: boolean;
}

export interface Diffed {
  readonly diff: ManifestDiff;
  /** The length of the diff as JSON. */
  readonly size: number;
}

export type ResultOf<J extends Job> = J extends CheckJob ? Checked : Diffed;

export function runJob(job: Job): Checked | Diffed {
  return job.kind === 'check' ? check(job) : diff(job);
}

function check({ text, locale, platform }: CheckJob): Checked {
  const { manifest, findings } = validateManifest(JSON.parse(text), { locale, platform });
  const hash = manifest === undefined ? undefined : hashManifest(manifest as Json);
  return { findings, hash, holdsNul: NUL.test(text) };
}

/** Matches U+0000 in JSON text: an escape whose backslash is not itself escaped. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

const NOTHING = { tools: [], permission_scopes: [], capability_flags: {} };

function diff({ before, after, policy, locale }: DiffJob): Diffed {
  const now = JSON.parse(after) as Manifest;
  const old = before === null ? { ...now, ...NOTHING } : (JSON.parse(before) as Manifest);
  const found = diffManifests(old, now, { policy, locale });
  return { diff: found, size: JSON.stringify(found).length };
}
