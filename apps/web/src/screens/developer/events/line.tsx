import type { AgentLogEvent } from '@parley/protocol';
import {
  Bot,
  CircleAlert,
  FileJson2,
  Handshake,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  Plug,
  Webhook,
} from 'lucide-react';
import { clockTime, longTime } from '../../../i18n/time.ts';
import { classNames } from '../../../parts/class-names.ts';
import { useDescription } from './use-description.ts';

export const KINDS = ['connection', 'webhook', 'relation', 'message', 'manifest', 'token', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

const ICONS: Readonly<Record<string, LucideIcon>> = {
  connection: Plug,
  webhook: Webhook,
  relation: Handshake,
  message: MessageSquare,
  manifest: FileJson2,
  token: KeyRound,
  agent: Bot,
};
/** The events that may need an action of the owner. */
const TROUBLE: ReadonlySet<string> = new Set([
  'webhook.failed',
  'webhook.given_up',
  'webhook.refused',
  'message.refused',
  'relation.reauth_required',
  'events.left_out',
]);

export const kindOf = ({ type }: AgentLogEvent): string => type.slice(0, type.indexOf('.'));

export function Line({ event }: { readonly event: AgentLogEvent }) {
  const { text, details } = useDescription(event);
  const trouble = TROUBLE.has(event.type);
  const Icon = trouble ? CircleAlert : (ICONS[kindOf(event)] ?? Bot);
  return (
    <div className="flex items-start gap-3 px-4 py-2.5 text-sm">
      <time
        dateTime={event.at}
        title={longTime(event.at)}
        className="min-w-14 shrink-0 pt-px text-xs leading-5 whitespace-nowrap text-muted tabular-nums"
      >
        {clockTime(event.at)}
      </time>
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', trouble ? 'text-medium' : 'text-muted')} />
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 break-words">
        <span className={classNames('min-w-0 break-words', trouble && 'font-medium text-medium')}>{text}</span>
        {details.length > 0 && <span className="min-w-0 break-words text-muted">{details.join(' · ')}</span>}
      </p>
    </div>
  );
}
