import { adminRoutes as routes } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { banAccount, setRole, signOutAccount, unbanAccount } from './accounts.ts';
import { banAgent, unbanAgent } from './agents.ts';
import { readBudgets, setBudgets } from './budgets.ts';
import { registerInvitationRoutes } from './invitation-routes.ts';
import { listActions } from './log.ts';
import { requireFreshOperator, requireOperator } from './operator.ts';
import { listAccounts, listAgents, readHoldings, readStats } from './store.ts';
import { toWireAccount, toWireAction, toWireAgent } from './wire.ts';

export function registerAdmin(router: Router, platform: Platform): void {
  const { db } = platform;
  const account = async (id: string) => toWireAccount(only((await listAccounts(db, { id })).rows));
  const agent = async (id: string) => toWireAgent(only((await listAgents(db, { id })).rows));

  router.add(routes.listAccounts, async (request) => {
    requireOperator(request);
    const { rows, last } = await listAccounts(db, request.query);
    return { accounts: rows.map(toWireAccount), next_cursor: last?.id ?? null };
  });

  router.add(routes.readAccount, async (request) => {
    requireOperator(request);
    const { account_id: id } = request.params;
    return { ...(await account(id)), ...(await readHoldings(db, id, platform.now())) };
  });

  router.add(routes.listAllAgents, async (request) => {
    requireOperator(request);
    const { rows, last } = await listAgents(db, request.query);
    return { agents: rows.map(toWireAgent), next_cursor: last?.id ?? null };
  });

  router.add(routes.banAccount, async (request) => {
    const { params, body } = request;
    const { account_id: accountId } = params;
    const admin = await requireFreshOperator(platform, request);
    await banAccount(platform, { admin, accountId, reason: body.reason ?? '' });
    return account(accountId);
  });

  router.add(routes.unbanAccount, async (request) => {
    const { params, body } = request;
    const { account_id: accountId } = params;
    await unbanAccount(platform, { admin: requireOperator(request), accountId, reason: body.reason ?? '' });
    return account(accountId);
  });

  router.add(routes.signOutAccount, async (request) => {
    const { params, body } = request;
    const admin = await requireFreshOperator(platform, request);
    const change = { admin, accountId: params.account_id, reason: body.reason ?? '' };
    return { sessions: await signOutAccount(platform, change) };
  });

  router.add(routes.banAgent, async (request) => {
    const { params, body } = request;
    const { agent_id: agentId } = params;
    const admin = await requireFreshOperator(platform, request);
    await banAgent(platform, { admin, agentId, reason: body.reason ?? '' });
    return agent(agentId);
  });

  router.add(routes.unbanAgent, async (request) => {
    const { params, body } = request;
    const { agent_id: agentId } = params;
    await unbanAgent(platform, { admin: requireOperator(request), agentId, reason: body.reason ?? '' });
    return agent(agentId);
  });

  router.add(routes.setRole, async (request) => {
    const { params, body } = request;
    const { account_id: accountId } = params;
    const { role, reason = '' } = body;
    const admin = await requireFreshOperator(platform, request);
    await setRole(platform, { admin, accountId, role, reason });
    return account(accountId);
  });

  router.add(routes.readBudgets, async (request) => {
    requireOperator(request);
    return readBudgets(platform, request.params.account_id);
  });

  router.add(routes.setBudgets, async (request) => {
    const { params, body } = request;
    const { account_id: accountId } = params;
    const { budgets: changes, reason = '' } = body;
    const admin = await requireFreshOperator(platform, request);
    await setBudgets(platform, { admin, accountId, changes, reason });
    return readBudgets(platform, accountId);
  });

  registerInvitationRoutes(router, platform);

  router.add(routes.getStats, async (request) => {
    requireOperator(request);
    return readStats(db);
  });

  router.add(routes.listActions, async (request) => {
    requireOperator(request);
    const { rows, last } = await listActions(db, request.query);
    return { actions: rows.map(toWireAction), next_cursor: last?.id ?? null };
  });
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}
