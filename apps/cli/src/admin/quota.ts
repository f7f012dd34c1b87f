import { adminRoutes, BUDGET_NAMES, type BudgetName } from '@parley/protocol';
import { BYTE_UNITS, formatBudget, formatBudgetAmount, KIB } from '../account/format-budget.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { findAccount } from './find-account.ts';
import { openFreshAdminApi, type ReasonOptions } from './open.ts';

interface QuotaOptions extends ReasonOptions {
  /** Goes back to the default. */
  readonly clear?: boolean;
}

interface Context {
  readonly options: QuotaOptions;
  readonly words: Words;
}

/** Shows the budgets of an account, or changes one of them (OP-1), which is named with its new limit. */
export async function quota(named: string, limit: readonly string[], context: Context): Promise<CommandResult> {
  const { options, words } = context;
  const [budget, value, ...rest] = limit;
  const name = budget === undefined ? undefined : readName(budget);
  const change = rest.length > 0 ? refuseUsage() : readChange(name, value, options);
  const api = openFreshAdminApi(options, words);
  const { user_id, email } = await findAccount(api, named);
  const params = { account_id: user_id };
  const { budgets } =
    change === undefined
      ? await api.call(adminRoutes.readBudgets, { params })
      : await api.call(adminRoutes.setBudgets, {
          params,
          body: { budgets: { [change.name]: change.value }, reason: options.reason ?? '' },
        });
  const shown = name === undefined ? budgets : budgets.filter((budget) => budget.name === name);
  return {
    exit: EXIT.fine,
    json: { user_id, email, budgets: shown },
    text: (paint) =>
      [
        `${change === undefined ? paint('bold', displayName(email)) : `${paint('green', '✓')} ${displayName(email)}`}\n`,
        ...shown.map((budget) => formatSetBudget(budget, words, paint)),
      ].join(''),
  };
}

function readName(text: string): BudgetName {
  const name = BUDGET_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  const params = { name: text, names: BUDGET_NAMES.join(', ') };
  throw new CommandError('USAGE', { sentences: [{ key: 'admin.budget_unknown', params }] });
}

/** Returns undefined where nothing is to be changed. */
function readChange(name: BudgetName | undefined, text: string | undefined, { clear = false }: QuotaOptions) {
  if (text === undefined && !clear) return undefined;
  const value = clear ? null : readAmount(text!);
  if (name === undefined || value === undefined || (clear && text !== undefined)) refuseUsage();
  return { name, value };
}

function refuseUsage(): never {
  throw new CommandError('USAGE', { sentences: [{ key: 'admin.budget_value_wanted' }] });
}

/** Reads a whole number, or one with a unit such as 10GiB; undefined if it is neither. */
function readAmount(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,13})(?:\s?([KMGT]iB))?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * KIB ** (BYTE_UNITS.indexOf(unit ?? '') + 1);
}

function formatSetBudget(budget: adminRoutes.WireBudgets['budgets'][number], words: Words, paint: Paint): string {
  const text = formatBudget(budget, words, paint);
  if (!budget.changed) return text;
  const note = words.say('admin.budget_changed', { default: formatBudgetAmount(budget.default, budget.unit) });
  return `${text}    ${paint('dim', note)}\n`;
}
