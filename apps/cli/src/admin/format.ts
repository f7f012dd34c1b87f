import type { adminRoutes } from '@parley/protocol';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

/** Times as ISO 8601 has them, to the minute: they sort, and mean the same to everyone. */
export const formatTime = (time: string): string => `${displayName(time).slice(0, 16).replace('T', ' ')}Z`;

export function formatAccount(account: adminRoutes.WireAccount, words: Words, paint: Paint): string {
  const { email, display_name, role, status, agents, last_seen_at, user_id } = account;
  const facts = [
    displayName(display_name),
    ...(role === 'admin' ? [words.say('admin.role.admin')] : []),
    ...(status === 'active' ? [] : [paint('red', words.say(`admin.status.${status}`))]),
    words.count('agents', agents),
    last_seen_at === null ? words.say('admin.never_seen') : words.say('admin.seen', { time: formatTime(last_seen_at) }),
  ];
  const line = facts.join(words.say('list.separator'));
  return `${paint('bold', displayName(email))}  ${line}\n  ${paint('dim', displayName(user_id))}\n`;
}

export function formatAction(action: adminRoutes.WireAction, words: Words, paint: Paint): string {
  const { created_at, admin_id, admin_email, target_name, target_id, reason, address } = action;
  const onMachine = /^[0-]+$/.test(admin_id);
  const who = onMachine ? words.say('admin.by_machine') : displayName(admin_email ?? admin_id);
  const whom = displayName(target_name ?? target_id);
  const from = address === null ? '' : words.say('admin.from', { address: displayName(address) });
  const why = reason === '' ? '' : `\n  ${paint('dim', displayName(reason))}`;
  const what = paint('bold', displayName(action.action));
  return `${formatTime(created_at)}  ${what}  ${whom}  ${words.say('admin.by', { who })}${from}${why}\n`;
}
