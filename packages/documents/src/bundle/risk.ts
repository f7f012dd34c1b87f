import { type PartialKit, present } from './partial.ts';
import { RISK_LEVELS } from './schema.ts';
import type { Bundle, RiskLevel } from './types.ts';

/** The risk of a kit that states none (BA-1). */
const UNSAID: RiskLevel = 'medium';

export function compareRisk(a: RiskLevel, b: RiskLevel): number {
  return RISK_LEVELS.indexOf(a) - RISK_LEVELS.indexOf(b);
}

export function kitRisk(kit: Pick<PartialKit, 'riskLevel'>): RiskLevel {
  return kit.riskLevel ?? UNSAID;
}

/** The highest risk of the kits (BA-1); without kits it is low. */
export function bundleRisk(bundle: Pick<Bundle, 'kits'>): RiskLevel {
  return highest((bundle.kits ?? []).map(kitRisk));
}

/** The risk that a kit's permissions imply, whatever the kit states. */
export function impliedRisk(kit: PartialKit): RiskLevel {
  return highest([...present(kit.permissions)].map(([, permission]) => permissionRisk(permission)));
}

/** The risk of one permission (BV-4). */
export function permissionRisk({ type, mode }: { type?: string | undefined; mode?: string | undefined }): RiskLevel {
  if (mode === 'execute' || type === 'location' || (type === 'filesystem' && mode === 'write')) return 'high';
  if (type === 'secret' || type === 'clipboard' || (type === 'filesystem' && mode === 'read')) return 'medium';
  return type === 'network' && mode === 'write' ? 'medium' : 'low';
}

function highest(risks: readonly RiskLevel[]): RiskLevel {
  return risks.reduce((most, risk) => (compareRisk(risk, most) > 0 ? risk : most), 'low');
}
