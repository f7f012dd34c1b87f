import type { Static } from 'typebox';
import { closed, Id, Time } from '../formats.ts';
import { defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { adminOnly } from './access.ts';
import { BudgetChanges, BudgetUse } from './budget.ts';

const Role = Type.Union([Type.Literal('user'), Type.Literal('admin')]);
const AccountStatus = Type.Union([Type.Literal('active'), Type.Literal('banned'), Type.Literal('deleted')]);
const AgentStatus = Type.Union([
  Type.Literal('active'),
  Type.Literal('suspended'),
  Type.Literal('banned'),
  Type.Literal('deleted'),
]);
const NextCursor = Type.Union([Type.String(), Type.Null()]);

const Account = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  role: Role,
  status: AccountStatus,
  agents: Type.Integer(),
  last_seen_at: Type.Union([Time, Type.Null()], { description: 'When one of its sessions was last renewed or begun.' }),
  created_at: Time,
});
export type WireAccount = Static<typeof Account>;

const holdings = {
  sessions: Type.Integer(),
  devices: Type.Integer(),
  passkeys: Type.Integer(),
  relations: Type.Integer(),
  conversations: Type.Integer(),
  bundles: Type.Integer(),
  skills: Type.Integer(),
};
const Holdings = Type.Object(holdings);
export type WireHoldings = Static<typeof Holdings>;

const Agent = Type.Object({
  agent_id: Type.String(),
  name: Type.String(),
  owner_id: Type.String(),
  visibility: Type.Union([Type.Literal('public'), Type.Literal('private')]),
  status: AgentStatus,
  relations: Type.Integer({ description: 'Relations that have not ended.' }),
  unreachable_since: Type.Union([Time, Type.Null()]),
  created_at: Time,
});
export type WireAdminAgent = Static<typeof Agent>;

const Action = Type.Object({
  id: Type.String(),
  admin_id: Type.String({ description: 'All zeros where it was done on the machine itself.' }),
  admin_email: Type.Union([Type.String(), Type.Null()]),
  action: Type.String(),
  target_kind: Type.Union([Type.Literal('account'), Type.Literal('agent'), Type.Literal('invitation')]),
  target_id: Type.String(),
  target_name: Type.Union([Type.String(), Type.Null()]),
  previous: Type.String({ description: 'The status or role before.' }),
  reason: Type.String(),
  address: Type.Union([Type.String(), Type.Null()], { description: 'Where the request came from.' }),
  created_at: Time,
});
export type WireAction = Static<typeof Action>;

const Stats = Type.Object({
  accounts: Type.Object({ active: Type.Integer(), banned: Type.Integer() }),
  agents: Type.Object({ active: Type.Integer(), banned: Type.Integer(), unreachable: Type.Integer() }),
  relations: Type.Object({ active: Type.Integer(), suspended: Type.Integer() }),
  conversations: Type.Integer({ description: 'An estimate, as the next: counting them all would take long.' }),
  messages: Type.Integer(),
  deliveries: Type.Object({ pending: Type.Integer(), failed: Type.Integer() }),
});
export type WireStats = Static<typeof Stats>;

const AccountParams = Type.Object({ account_id: Id });
const AgentParams = Type.Object({ agent_id: Id });
// Postgres cannot store U+0000 in a text.
const reason = { reason: Type.Optional(Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$', default: '' })) };
const Reason = Type.Object(reason, closed);
const Page = {
  q: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$' })),
  cursor: Type.Optional(Id),
};

const tag = 'admin';
const limit = { body: 4 * 1024, perMinute: 120, by: 'caller' } as const;
const access = adminOnly(200);

const changeAccount = <const Verb extends string>(verb: Verb, summary: string) =>
  defineRoute({
    method: 'POST',
    path: `/admin/accounts/:account_id/${verb}`,
    summary,
    tag,
    params: AccountParams,
    body: Reason,
    status: 200,
    reply: Account,
    limit,
    access,
  });
const changeAgent = <const Verb extends string>(verb: Verb, summary: string) =>
  defineRoute({
    method: 'POST',
    path: `/admin/agents/:agent_id/${verb}`,
    summary,
    tag,
    params: AgentParams,
    body: Reason,
    status: 200,
    reply: Agent,
    limit,
    access,
  });

export const listAccounts = defineRoute({
  method: 'GET',
  path: '/admin/accounts',
  summary: 'Accounts, newest first, found by name or address',
  tag,
  query: Type.Object(
    {
      ...Page,
      email: Type.Optional(
        Type.String({
          maxLength: 320,
          pattern: '^[^\\u0000]*$',
          description: 'The whole address. What else an account calls itself does not count.',
        }),
      ),
      status: Type.Optional(AccountStatus),
      role: Type.Optional(Role),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ accounts: Type.Array(Account), next_cursor: NextCursor }),
  limit,
  access,
});

export const readAccount = defineRoute({
  method: 'GET',
  path: '/admin/accounts/:account_id',
  summary: 'One account, with how much it has of what',
  tag,
  params: AccountParams,
  status: 200,
  reply: Type.Object({ ...Account.properties, ...holdings }),
  limit,
  access,
});

export const signOutAccount = defineRoute({
  method: 'POST',
  path: '/admin/accounts/:account_id/sign-out',
  summary: 'End every session of an account, and its open sockets; its agents go on',
  tag,
  params: AccountParams,
  body: Reason,
  status: 200,
  reply: Type.Object({ sessions: Type.Integer({ description: 'How many were ended.' }) }),
  limit,
  access,
});

export const listAllAgents = defineRoute({
  method: 'GET',
  path: '/admin/agents',
  summary: 'Agents of everyone, newest first, found by name',
  tag,
  query: Type.Object({ ...Page, status: Type.Optional(AgentStatus) }, closed),
  status: 200,
  reply: Type.Object({ agents: Type.Array(Agent), next_cursor: NextCursor }),
  limit,
  access,
});

export const banAccount = changeAccount('ban', 'Shut an account and its agents out, at once');
export const unbanAccount = changeAccount('unban', 'Let a banned account back in');
export const banAgent = changeAgent('ban', 'Shut an agent out, at once; its relations pause');
export const unbanAgent = changeAgent('unban', 'Let a banned agent back in; its relations go on');

export const setRole = defineRoute({
  method: 'POST',
  path: '/admin/accounts/:account_id/role',
  summary: 'Make an account an operator, or no longer one',
  tag,
  params: AccountParams,
  body: Type.Object({ role: Role, ...reason }, closed),
  status: 200,
  reply: Account,
  limit,
  access,
});

const Budgets = Type.Object({
  budgets: Type.Array(
    Type.Object({
      ...BudgetUse.properties,
      default: Type.Integer({ description: 'What it has if no operator changes it.' }),
      changed: Type.Boolean({ description: 'An operator set the limit.' }),
    }),
  ),
});
export type WireBudgets = Static<typeof Budgets>;

export const readBudgets = defineRoute({
  method: 'GET',
  path: '/admin/accounts/:account_id/budgets',
  summary: 'What an account may use, and what it does use',
  tag,
  params: AccountParams,
  status: 200,
  reply: Budgets,
  limit,
  access,
});

export const setBudgets = defineRoute({
  method: 'PATCH',
  path: '/admin/accounts/:account_id/budgets',
  summary: 'Change what an account may use, at once; null goes back to the default',
  tag,
  params: AccountParams,
  body: Type.Object({ budgets: BudgetChanges, ...reason }, closed),
  status: 200,
  reply: Budgets,
  limit,
  access,
});

export const getStats = defineRoute({
  method: 'GET',
  path: '/admin/stats',
  summary: 'How much there is of everything',
  tag,
  status: 200,
  reply: Stats,
  limit,
  access,
});

export const listActions = defineRoute({
  method: 'GET',
  path: '/admin/actions',
  summary: 'What operators did, newest first',
  tag,
  query: Type.Object(
    {
      cursor: Page.cursor,
      admin_id: Type.Optional(Id),
      target_id: Type.Optional(Id),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ actions: Type.Array(Action), next_cursor: NextCursor }),
  limit,
  access,
});

export const ADMIN_ROUTES: readonly RouteContract[] = [
  listAccounts,
  readAccount,
  listAllAgents,
  banAccount,
  unbanAccount,
  setRole,
  signOutAccount,
  readBudgets,
  setBudgets,
  banAgent,
  unbanAgent,
  getStats,
  listActions,
];
