import type { Locale } from '@parley/base';
import { bundleRisk, compareRisk } from '../risk.ts';
import { ACTIVATION_SCOPES, ROLLBACK_STRATEGIES } from '../schema.ts';
import type { Bundle, RollbackProfile } from '../types.ts';
import { type BundleChange, Changes, pairById } from './changes.ts';
import { changedFields } from './fields.ts';
import { diffKits } from './kits.ts';
import { diffRoles } from './roles.ts';
import { diffRoutes } from './routes.ts';
import type { BundleConsent } from './rules.ts';

export interface BundleDiff {
  /** The highest consent that any change needs. */
  readonly consent: BundleConsent;
  readonly changes: BundleChange[];
}

const TEXT_FIELDS = ['name', 'summary', 'description', 'targetUser', 'tags', 'category', 'license'] as const;
/** The scope of a bundle that names none. */
const USUAL_SCOPE = 'workspace';

/** Lists the changes between two valid bundles, and what a person has to agree to again (BN-13). */
export function diffBundles(before: Bundle, after: Bundle, options: { locale?: Locale } = {}): BundleDiff {
  const changes = new Changes(options.locale ?? 'en');
  diffWhole(before, after, changes);
  diffRoles(before, after, changes);
  diffKits(before.kits ?? [], after.kits ?? [], changes);
  diffRoutes(before, after, changes);
  diffAssertions(before, after, changes);
  const asked = new Set(changes.list.map(({ consent }) => consent));
  return { consent: asked.has('reauth') ? 'reauth' : asked.has('notice') ? 'notice' : 'none', changes: changes.list };
}

function diffWhole(before: Bundle, after: Bundle, changes: Changes): void {
  if (before.id !== after.id) changes.add('bundle.replaced', '/id', { before: before.id, after: after.id });
  if (before.version !== after.version) {
    changes.add('bundle.version_changed', '/version', { before: before.version, after: after.version });
  }
  const risks = { before: bundleRisk(before), after: bundleRisk(after) };
  const step = compareRisk(risks.after, risks.before);
  changes.addStep(step, ['bundle.risk_raised', 'bundle.risk_lowered'], '/kits', risks);
  if (before.author !== after.author) {
    changes.add('bundle.author_changed', '/author', { before: before.author ?? '', after: after.author ?? '' });
  }
  for (const field of changedFields(pick(before), pick(after)))
    changes.add('bundle.text_changed', `/${field}`, { field });

  const scopes = { before: before.activationScope ?? USUAL_SCOPE, after: after.activationScope ?? USUAL_SCOPE };
  const wider = ACTIVATION_SCOPES.indexOf(scopes.after) - ACTIVATION_SCOPES.indexOf(scopes.before);
  changes.addStep(wider, ['scope.wider', 'scope.narrower'], '/activationScope', scopes);
  diffRollback(before.rollbackProfile, after.rollbackProfile, changes);
}

function diffRollback(before: RollbackProfile, after: RollbackProfile, changes: Changes): void {
  const strategy = ROLLBACK_STRATEGIES.indexOf(after.strategy) - ROLLBACK_STRATEGIES.indexOf(before.strategy);
  const snapshot = Number(before.snapshotEnabled) - Number(after.snapshotEnabled);
  // If one of the two got worse, the whole did, even if the other got better.
  const step = Math.max(strategy, snapshot) > 0 ? 1 : strategy + snapshot;
  const show = ({ strategy, snapshotEnabled }: RollbackProfile) => `${strategy}${snapshotEnabled ? ' + snapshot' : ''}`;
  const params = { before: show(before), after: show(after) };
  changes.addStep(step, ['rollback.weaker', 'rollback.stronger'], '/rollbackProfile', params);
}

function diffAssertions(before: Bundle, after: Bundle, changes: Changes): void {
  for (const pair of pairById(before.assertions, after.assertions, '/assertions')) {
    const { id, path } = pair;
    if (pair.after === undefined) changes.add('assertion.removed', path, { id });
    else if (pair.before === undefined) changes.add('assertion.added', path, { id });
    else if (pair.before.expr !== pair.after.expr) changes.add('assertion.changed', path, { id });
  }
}

function pick(bundle: Bundle): object {
  return Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => (bundle[field] === undefined ? [] : [[field, bundle[field]]])),
  );
}
