import { Report } from '../capability/report.ts';
import { BUNDLE_CODES } from './codes.ts';
import { LEVELS, type Level } from './finding.ts';

export type LevelReport = Report<typeof BUNDLE_CODES>;
export type Reports = Readonly<Record<Level, LevelReport>>;

/** Each level has its own report, so that findings of one level never crowd out another's. */
export function createReports(): Reports {
  return Object.fromEntries(LEVELS.map((level) => [level, new Report(BUNDLE_CODES)])) as unknown as Reports;
}
