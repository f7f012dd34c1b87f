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
import { type Bundle, type BundleDiff, diffBundles, type ReadBundle, readBundle } from '@parley/documents/bundle';
import {
  type DescriptorDiff,
  type DescriptorValidation,
  diffDescriptors,
  type SkillDescriptor,
  validateDescriptor,
} from '@parley/documents/skill';

/** Manifests travel as JSON text: it is copied faster than objects, and read where there is time. */
export type Job = CheckJob | DiffJob | SkillCheckJob | SkillDiffJob | BundleCheckJob | BundleDiffJob;

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

/** What claims to be the descriptor of a skill. */
export interface SkillCheckJob {
  readonly kind: 'skill-check';
  readonly text: string;
  readonly locale: Locale;
  readonly development: boolean;
}

/** What claims to be the manifest of a bundle. */
export interface BundleCheckJob {
  readonly kind: 'bundle-check';
  readonly text: string;
  readonly locale: Locale;
  /** The digests of the kits that came with it. */
  readonly kitDigests?: ReadonlyMap<string, string>;
}

/** Two valid descriptors of a skill. */
export interface SkillDiffJob {
  readonly kind: 'skill-diff';
  readonly before: string;
  readonly after: string;
  readonly locale: Locale;
}

/** Two valid manifests of a bundle. */
export interface BundleDiffJob {
  readonly kind: 'bundle-diff';
  readonly before: string;
  readonly after: string;
  readonly locale: Locale;
}

export interface Checked {
  readonly findings: readonly Message[];
  /** Undefined if the manifest is not valid. */
  readonly hash: string | undefined;
  /** Does it contain U+0000? */
  readonly holdsNul: boolean;
}

export interface Diffed<Diff = ManifestDiff> {
  readonly diff: Diff;
  /** The length of the diff as JSON. */
  readonly size: number;
}

interface Results {
  readonly check: Checked;
  readonly diff: Diffed;
  readonly 'skill-check': DescriptorValidation;
  readonly 'skill-diff': Diffed<DescriptorDiff>;
  readonly 'bundle-check': ReadBundle;
  readonly 'bundle-diff': Diffed<BundleDiff>;
}
export type ResultOf<J extends Job> = Results[J['kind']];
export type AnyResult = Results[keyof Results];

export function runJob(job: Job): AnyResult {
  switch (job.kind) {
    case 'check':
      return check(job);
    case 'diff':
      return diff(job);
    case 'skill-check':
      return validateDescriptor(JSON.parse(job.text), job);
    case 'bundle-check':
      return readBundle(JSON.parse(job.text), job);
    case 'skill-diff':
      return diffTexts<SkillDescriptor, DescriptorDiff>(job, diffDescriptors);
    case 'bundle-diff':
      return diffTexts<Bundle, BundleDiff>(job, diffBundles);
  }
}

function diffTexts<Document, Diff>(
  { before, after, locale }: SkillDiffJob | BundleDiffJob,
  compare: (before: Document, after: Document, options: { readonly locale: Locale }) => Diff,
): Diffed<Diff> {
  return measure(compare(read<Document>(before), read<Document>(after), { locale }));
}

const read = <Document>(text: string) => JSON.parse(text) as Document;
const measure = <Diff>(found: Diff): Diffed<Diff> => ({ diff: found, size: JSON.stringify(found).length });

function check({ text, locale, platform }: CheckJob): Checked {
  const { manifest, findings } = validateManifest(JSON.parse(text), { locale, platform });
  const hash = manifest === undefined ? undefined : hashManifest(manifest as Json);
  return { findings, hash, holdsNul: NUL.test(text) };
}

/** Matches U+0000 in JSON text: an escape whose backslash is not itself escaped. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

const NOTHING = { tools: [], permission_scopes: [], capability_flags: {} };

function diff({ before, after, policy, locale }: DiffJob): Diffed {
  const now = read<Manifest>(after);
  const old = before === null ? { ...now, ...NOTHING } : read<Manifest>(before);
  return measure(diffManifests(old, now, { policy, locale }));
}
