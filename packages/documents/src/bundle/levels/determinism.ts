import { present } from '../partial.ts';
import { findPathProblem } from '../path.ts';
import { findPlanPathProblems } from '../plan-paths.ts';
import type { LevelReport } from '../reports.ts';
import type { LevelCheck } from './level.ts';

/** Checks entry points, runtimes, snapshots and the paths of the plan (BV-5). */
export const determinism: LevelCheck = {
  level: 'L5',
  name: { en: 'determinism', 'zh-CN': '运行时确定' },
  check({ bundle, surroundings: { runtimes, planPaths } }, report) {
    for (const [index, { id = '', entryPoint, runtime }] of present(bundle.kits)) {
      if (entryPoint !== undefined && entryPoint !== '')
        checkEntryPoint(entryPoint, `/kits/${index}/entryPoint`, report);
      // A binary needs no runtime.
      if (runtime === undefined || runtime === 'binary' || runtimes === undefined || runtimes.includes(runtime))
        continue;
      report.add('RUNTIME_MISSING', `/kits/${index}/runtime`, { id, runtime });
    }
    if (bundle.rollbackProfile?.snapshotEnabled === false) {
      report.add('SNAPSHOT_DISABLED', '/rollbackProfile/snapshotEnabled', {});
    }
    for (const { code, params } of findPlanPathProblems(planPaths ?? [])) {
      report.push({ code, severity: 'error', path: '', params });
    }
  },
};

function checkEntryPoint(entryPoint: string, path: string, report: LevelReport): void {
  const reason = findPathProblem(entryPoint);
  if (reason !== undefined) report.push({ code: 'PATH_UNSAFE', severity: 'error', path, params: { reason } });
}
