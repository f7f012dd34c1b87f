import { authRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { openAccountApi } from './api.ts';
import { formatBudget } from './format-budget.ts';
import { chooseServer } from './server-url.ts';

/** Shows what the account may use, with all its agents together, and what it does use (OP-1). */
export async function usage({ url }: { readonly url?: string }, words: Words): Promise<CommandResult> {
  const { budgets } = await openAccountApi(chooseServer(url), 'parley').call(authRoutes.readUsage);
  return {
    exit: EXIT.fine,
    json: { budgets },
    text: (paint) => budgets.map((budget) => formatBudget(budget, words, paint)).join(''),
  };
}
