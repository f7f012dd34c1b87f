import { present } from '../loose.ts';
import { findPathProblem, foldPath } from '../path.ts';
import type { LevelReport } from '../reports.ts';
import type { LevelCheck } from './level.ts';

/** BV-5. */
export const determinism: LevelCheck = {
  level: 'L5',
  name: { en: 'determinism', 'zh-CN': '运行时确定' },
  check({ bundle, surroundings: { runtimes, planPaths } }, report) {
    for (const [index, { id = '', entryPoint, runtime }] of present(bundle.kits)) {
      if (entryPoint !== undefined && entryPoint !== '')
        checkEntryPoint(entryPoint, `/kits/${index}/entryPoint`, report);
      // A binary needs nothing but itself.
      if (runtime === undefined || runtime === 'binary' || runtimes === undefined || runtimes.includes(runtime))
        continue;
      report.add('RUNTIME_MISSING', `/kits/${index}/runtime`, { id, runtime });
    }
    if (bundle.rollbackProfile?.snapshotEnabled === false) {
      report.add('SNAPSHOT_DISABLED', '/rollbackProfile/snapshotEnabled', {});
    }
    checkPlan(planPaths ?? [], report);
  },
};

function checkEntryPoint(entryPoint: string, path: string, report: LevelReport): void {
  const reason = findPathProblem(entryPoint);
  if (reason !== undefined) report.push({ code: 'PATH_UNSAFE', severity: 'error', path, params: { reason } });
}

function checkPlan(paths: readonly string[], report: LevelReport): void {
  const seen = new Map<string, string>();
  for (const target of paths) {
    if (findPathProblem(target) !== undefined) report.add('PLAN_PATH_UNSAFE', '', { target });
    const key = foldPath(target);
    const other = seen.get(key);
    if (other === undefined) seen.set(key, target);
    else report.add('PLAN_COLLISION', '', { target, other });
  }
}
