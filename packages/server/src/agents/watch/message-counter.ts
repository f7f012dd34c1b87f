import { isId } from '@parley/base';
import type { AgentEventNote, MsgSubtype } from '@parley/protocol';
import { sql } from 'kysely';
import type { Wake } from '../../events/bus.ts';
import type { Db } from '../../storage/database.ts';

/** Messages within this time are counted together. */
const GATHER_MS = 1_000;
/** The most messages of one conversation in one count. */
const MAX_COUNTED = 1_000;
/** Conversations beyond this are not counted, to bound memory. */
const MAX_CONVERSATIONS = 10_000;

type Relayed = Extract<AgentEventNote, { type: 'message.relayed' }>;

/**
 * Counts the messages to and from an agent while its owner watches. The watcher listens to the wake-ups of the relay
 * and reads the kinds of messages from the database, so agents that nobody watches cost nothing. Messages from before
 * the agent joined a group are not counted, because it may not see them.
 */
export interface MessageCounter {
  onWake(wake: Wake): void;
  take(): Promise<Relayed[]>;
  stop(): void;
}

export function createMessageCounter(
  db: Db,
  { agentId, since, notify }: { readonly agentId: string; readonly since: Date; readonly notify: () => void },
): MessageCounter {
  const counted = new Map<string, number>();
  const news = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  return {
    onWake: ({ about, upTo }) => {
      if (about === undefined || upTo === undefined || !isId(about)) return;
      const before = counted.get(about);
      if (before === undefined && counted.size + news.size >= MAX_CONVERSATIONS) return;
      if (upTo <= Math.max(before ?? 0, news.get(about) ?? 0)) return;
      news.set(about, upTo);
      timer ??= setTimeout(notify, GATHER_MS);
    },
    take: async () => {
      if (news.size === 0) return [];
      clearTimeout(timer);
      timer = undefined;
      const heard = [...news].map(([id, upTo]) => ({ id, upTo, after: counted.get(id) ?? 0 }));
      news.clear();
      for (const { id, upTo } of heard) counted.set(id, upTo);
      return countMessages(db, { agentId, since, heard });
    },
    stop: () => clearTimeout(timer),
  };
}

interface Counting {
  readonly agentId: string;
  readonly since: Date;
  readonly heard: readonly { readonly id: string; readonly after: number; readonly upTo: number }[];
}

async function countMessages(db: Db, { agentId, since, heard }: Counting): Promise<Relayed[]> {
  const ids = heard.map(({ id }) => id);
  const after = heard.map((one) => one.after);
  const upTo = heard.map((one) => one.upTo);
  const { rows } = await sql<{ from_agent: boolean; msg_subtype: MsgSubtype; count: number }>`
    select message.from_agent, message.msg_subtype, count(*)::int as count
    from unnest(${ids}::uuid[], ${after}::bigint[], ${upTo}::bigint[]) as news (conversation_id, after, up_to)
    join members on members.conversation_id = news.conversation_id and member_kind = 'agent' and member_id = ${agentId}
    cross join lateral (
      select sender_kind = 'agent' and sender_id = ${agentId} as from_agent, msg_subtype, received_at
      from messages
      where messages.conversation_id = news.conversation_id and seq > greatest(news.after, joined_seq)
        and seq <= news.up_to
      order by seq desc limit ${MAX_COUNTED}) as message
    where message.received_at >= ${since}
    group by 1, 2 order by 1, 2`.execute(db);
  return rows.map(({ from_agent, msg_subtype, count }) => ({
    type: 'message.relayed',
    direction: from_agent ? 'from_agent' : 'to_agent',
    msg_subtype,
    count,
  }));
}
