import { type PartialKit, present } from './partial.ts';
import { RISK_LEVELS } from './schema.ts';
import type { Bundle, RiskLevel } from './types.ts';

/** A kit that says nothing (BA-1). */
const UNSAID: RiskLevel = 'medium';

export function compareRisk(a: RiskLevel, b: RiskLevel): number {
  return RISK_LEVELS.indexOf(a) - RISK_LEVELS.indexOf(b);
}

export function kitRisk(kit: Pick<PartialKit, 'riskLevel'>): RiskLevel {
  return kit.riskLevel ?? UNSAID;
}

/** BA-1: the highest of the kits; without kits it is low. */
export function bundleRisk(bundle: Pick<Bundle, 'kits'>): RiskLevel {
  return highest((bundle.kits ?? []).map(kitRisk));
}

/** What the permissions of a kit mean, whatever it says of itself. */
export function impliedRisk(kit: PartialKit): RiskLevel {
  return highest([...present(kit.permissions)].map(([, permission]) => permissionRisk(permission)));
}

/** BV-4. */
export function permissionRisk({ type, mode }: { type?: string | undefined; mode?: string | undefined }): RiskLevel {
  if (mode === 'execute' || type === 'location' || (type === 'filesystem' && mode === 'write')) return 'high';
  if (type === 'secret' || type === 'clipboard' || (type === 'filesystem' && mode === 'read')) return 'medium';
  return type === 'network' && mode === 'write' ? 'medium' : 'low';
}

function highest(risks: readonly RiskLevel[]): RiskLevel {
  return risks.reduce((most, risk) => (compareRisk(risk, most) > 0 ? risk : most), 'low');
}
