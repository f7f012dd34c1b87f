import { ASSERTION_VARIABLES } from '../condition/check.ts';
import { resolveEntryRole } from '../entry.ts';
import { present } from '../partial.ts';
import type { LevelReport } from '../reports.ts';
import { checkTeam } from './check-team.ts';
import { Expressions } from './expressions.ts';
import type { Context, LevelCheck } from './level.ts';

/** Checks ids, teams, the entry role and expressions (BV-2). */
export const semantics: LevelCheck = {
  level: 'L2',
  name: { en: 'semantics', 'zh-CN': '语义对象' },
  check(context, report) {
    const { bundle, names } = context;
    checkIds(context, report);
    const teams = [...present(bundle.teams)];
    if (bundle.mode === 'team' && (bundle.teams ?? []).length === 0) report.add('TEAM_MISSING', '/mode', {});
    const expressions = new Expressions();
    for (const [index, team] of teams) checkTeam(team, `/teams/${index}`, { names, expressions, report });
    if (teams.length === 0) checkEntry(context, report);
    for (const [index, { expr }] of present(bundle.assertions)) {
      if (expr !== undefined) expressions.check(expr, ASSERTION_VARIABLES, `/assertions/${index}/expr`, report);
    }
  },
};

/** Roles and kits share one namespace; teams and assertions have their own (BN-6). */
function checkIds({ bundle }: Context, report: LevelReport): void {
  const objects = new Map<string, string>();
  checkUnique(bundle.roles, '/roles', objects, report);
  checkUnique(bundle.kits, '/kits', objects, report);
  checkUnique(bundle.teams, '/teams', new Map(), report);
  checkUnique(bundle.assertions, '/assertions', new Map(), report);
}

function checkUnique(
  list: readonly ({ readonly id?: string | undefined } | undefined)[] | undefined,
  path: string,
  seen: Map<string, string>,
  report: LevelReport,
): void {
  for (const [index, { id }] of present(list)) {
    if (id === undefined) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, `${path}/${index}`);
    else report.add('ID_DUPLICATE', `${path}/${index}/id`, { id, first });
  }
}

/** Checks the entry role of a bundle without a team (BN-8). */
function checkEntry({ bundle, names }: Context, report: LevelReport): void {
  const entry = resolveEntryRole(names);
  if (entry.named.length > 1) report.add('ENTRY_CONTRADICTION', '/roles', { ids: entry.named.join(', ') });
  else if (entry.by === 'first' && entry.id !== undefined && (bundle.roles ?? []).length > 1) {
    report.add('ENTRY_ASSUMED', '/roles', { id: entry.id });
  }
}
