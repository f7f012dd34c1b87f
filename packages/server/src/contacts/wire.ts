import type { contactRoutes, ReplyOf } from '@parley/protocol';
import type { Blocked } from './blocks.ts';
import type { Incoming, listOutgoing, Person } from './requests.ts';

type Requests = ReplyOf<typeof contactRoutes.listContactRequests>;

export function toContact({ user_id, display_name, since }: Person & { readonly since: Date }) {
  return { user_id, display_name, since: since.toISOString() };
}

export function toBlocked({
  agent_ids,
  ...row
}: Blocked): ReplyOf<typeof contactRoutes.listBlocked>['blocked'][number] {
  return { ...toContact(row), agent_ids: [...agent_ids] };
}

export function toIncoming(row: Incoming): Requests['incoming'][number] {
  const { request_id, user_id, display_name, by, agent_name, created_at } = row;
  return {
    request_id,
    user_id,
    display_name,
    by,
    ...(agent_name === null ? {} : { agent_name }),
    created_at: created_at.toISOString(),
  };
}

const FIELDS = { code: 'code', agent: 'agent_id', account: 'user_id' } as const;

export function toOutgoing(row: Awaited<ReturnType<typeof listOutgoing>>[number]): Requests['outgoing'][number] {
  return { request_id: row.id, [FIELDS[row.named_kind]]: row.named, created_at: row.created_at.toISOString() };
}
