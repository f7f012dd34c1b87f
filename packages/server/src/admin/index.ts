import { adminRoutes as routes } from '@parley/protocol';
import { type Caller, type Human, requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { banAccount, setRole, unbanAccount } from './accounts.ts';
import { banAgent, unbanAgent } from './agents.ts';
import { listActions } from './log.ts';
import { listAccounts, listAgents, readStats } from './store.ts';
import { toWireAccount, toWireAction, toWireAgent } from './wire.ts';

export function registerAdmin(router: Router, platform: Platform): void {
  const { db } = platform;
  const account = async (id: string) => toWireAccount(only((await listAccounts(db, { id })).rows));
  const agent = async (id: string) => toWireAgent(only((await listAgents(db, { id })).rows));

  router.add(routes.listAccounts, async ({ caller, query }) => {
    requireAdmin(caller);
    const { rows, last } = await listAccounts(db, query);
    return { accounts: rows.map(toWireAccount), next_cursor: last?.id ?? null };
  });

  router.add(routes.listAllAgents, async ({ caller, query }) => {
    requireAdmin(caller);
    const { rows, last } = await listAgents(db, query);
    return { agents: rows.map(toWireAgent), next_cursor: last?.id ?? null };
  });

  for (const [route, change] of [
    [routes.banAccount, banAccount],
    [routes.unbanAccount, unbanAccount],
  ] as const) {
    router.add(route, async ({ caller, params: { account_id: accountId }, body: { reason = '' } }) => {
      await change(platform, { admin: requireAdmin(caller), accountId, reason });
      return account(accountId);
    });
  }

  for (const [route, change] of [
    [routes.banAgent, banAgent],
    [routes.unbanAgent, unbanAgent],
  ] as const) {
    router.add(route, async ({ caller, params: { agent_id: agentId }, body: { reason = '' } }) => {
      await change(platform, { admin: requireAdmin(caller), agentId, reason });
      return agent(agentId);
    });
  }

  router.add(routes.setRole, async ({ caller, params: { account_id: accountId }, body: { role } }) => {
    await setRole(platform, { admin: requireAdmin(caller), accountId, role });
    return account(accountId);
  });

  router.add(routes.getStats, async ({ caller }) => {
    requireAdmin(caller);
    return readStats(db);
  });

  router.add(routes.listActions, async ({ caller, query: { cursor } }) => {
    requireAdmin(caller);
    const { rows, last } = await listActions(db, cursor);
    return { actions: rows.map(toWireAction), next_cursor: last?.id ?? null };
  });
}

function requireAdmin(caller: Caller): Human {
  const human = requireHuman(caller);
  if (human.role !== 'admin') throw new RequestError('FORBIDDEN');
  return human;
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}
