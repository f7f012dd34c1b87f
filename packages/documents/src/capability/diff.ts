import type { Locale } from '@parley/base';
import type { Json } from '../json/value.ts';
import { type ChangeFact, findChanges } from './changes.ts';
import { describeChange } from './describe-change.ts';
import { hashManifest } from './hash.ts';
import type { Manifest } from './manifest.ts';
import { type ChangeCode, DIFF_RULES, POLICIES, type Policy } from './rules.ts';

/** What a change requires of the agent's users (DF-19). */
export type Consent = 'reauth' | 'notice' | 'none';

export interface Change {
  readonly code: ChangeCode;
  /** JSON Pointer into the manifest of `side`: the new one, for removals the old one. */
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly tool?: string;
  readonly scope?: string;
  readonly breaking: boolean;
  readonly consent: Consent;
  readonly message: string;
  /** Arguments that the old schema accepts and the new one rejects. */
  readonly witness?: Json;
}

export interface ManifestDiff {
  readonly breaking: boolean;
  readonly policy: Policy;
  readonly oldHash: string;
  readonly newHash: string;
  readonly scopesRequiringReauth: readonly string[];
  readonly changes: readonly Change[];
}

export interface DiffOptions {
  /** `spec` by default. */
  readonly policy?: Policy;
  readonly locale?: Locale;
  /** What a permission is called in the sentences: its id by default, which makers know. */
  readonly nameScope?: (id: string) => string;
}

/** Finds and judges every change between two valid manifests (DF-1 to DF-20). */
export function diffManifests(before: Manifest, after: Manifest, options: DiffOptions = {}): ManifestDiff {
  const { policy = 'spec', locale = 'en', nameScope = String } = options;
  if (!POLICIES.includes(policy)) throw new TypeError('diffManifests: policy must be "spec" or "guide"');
  const changes = findChanges(before, after).map((fact) =>
    judge(fact, policy, (one) => describeChange(one, locale, nameScope)),
  );
  const scopes = changes.flatMap((change) => (change.breaking && change.scope !== undefined ? [change.scope] : []));
  return {
    breaking: changes.some((change) => change.breaking),
    policy,
    oldHash: hashManifest(before),
    newHash: hashManifest(after),
    scopesRequiringReauth: [...new Set(scopes)].sort(),
    changes,
  };
}

function judge(fact: ChangeFact, policy: Policy, describe: (fact: ChangeFact) => string): Change {
  const rule = DIFF_RULES[fact.code];
  const policies = (fact.intoNewScope && rule.breakingIntoNewScope) || rule.breaking;
  const breaking = policies.includes(policy);
  return {
    code: fact.code,
    path: fact.path,
    side: fact.side,
    ...(fact.tool === undefined ? {} : { tool: fact.tool }),
    ...(fact.scope === undefined ? {} : { scope: fact.scope }),
    breaking,
    consent: breaking ? 'reauth' : rule.notice ? 'notice' : 'none',
    message: describe(fact),
    ...(fact.witness === undefined ? {} : { witness: fact.witness }),
  };
}
