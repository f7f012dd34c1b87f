import { BUDGETS, type BudgetName } from '@parley/protocol';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

export interface ShownBudget {
  readonly name: BudgetName;
  readonly unit: string;
  readonly used: number;
  readonly limit: number | null;
}

/** The units of bytes, each 1,024 times the one before. */
export const BYTE_UNITS: readonly string[] = ['KiB', 'MiB', 'GiB', 'TiB'];
export const KIB = 1_024;

export const formatBudgetAmount = (value: number, unit: string) =>
  unit === 'bytes' ? formatBytes(value) : String(value);

/** One line with what is used and the limit, and what it means below it. A newer server may have others than we know. */
export function formatBudget({ name, unit, used, limit }: ShownBudget, words: Words, paint: Paint): string {
  const most = limit === null ? words.say('account.budget_none') : formatBudgetAmount(limit, unit);
  const line = words.say('account.budget_line', { used: formatBudgetAmount(used, unit), limit: most });
  const text = Object.hasOwn(BUDGETS, name) ? `\n    ${paint('dim', BUDGETS[name].text[words.locale])}` : '';
  return `  ${paint('bold', displayName(name))}  ${line}${text}\n`;
}

/** In the largest unit that it is at least one of, to one digit after the point. */
function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 'B'];
  for (const next of BYTE_UNITS) {
    if (value < KIB) break;
    [value, unit] = [value / KIB, next];
  }
  return `${Number(value.toFixed(1))} ${unit}`;
}
