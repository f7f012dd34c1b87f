import type { BudgetName } from '@parley/protocol';
import type { Logger } from 'pino';
import { type Bus, keyOf } from '../events/bus.ts';
import type { Db } from '../storage/database.ts';

/** What operators changed, for all accounts, in memory: whoever is counted asks for it with every frame. */
export interface Overrides {
  get(accountId: string, name: BudgetName): number | undefined;
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** A node that misses a wake knows of a change after this time. */
const RELOAD_MS = 15_000;

export async function loadOverrides(db: Db, bus: Bus, log: Logger): Promise<Overrides> {
  let values: ReadonlyMap<string, number> = new Map();
  let loading: Promise<void> | undefined;
  let again = false;
  const load = async (): Promise<void> => {
    const rows = await db.selectFrom('account_budgets').selectAll().execute();
    values = new Map(rows.map(({ account_id, budget, value }) => [`${account_id} ${budget}`, value]));
  };
  const loadAll = async (): Promise<void> => {
    do {
      again = false;
      await load();
    } while (again);
  };
  /** A change during a reload may be missing from what it reads, so it is followed by another one. */
  const reload = (): Promise<void> => {
    again = loading !== undefined;
    loading ??= loadAll().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const reloadLater = () => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'budgets: they could not be read, trying again'));
  };
  await load();
  const stop = bus.listen(keyOf.budgets, reloadLater);
  const timer = setInterval(reloadLater, RELOAD_MS).unref();
  return {
    get: (accountId, name) => values.get(`${accountId} ${name}`),
    reload,
    close: async () => {
      stop();
      clearInterval(timer);
      await loading?.catch(() => {});
    },
  };
}
