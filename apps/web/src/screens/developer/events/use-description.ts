import { displayText } from '@parley/documents';
import type { AgentLogEvent } from '@parley/protocol';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { clockTime } from '../../../i18n/time.ts';

type T = TFunction<'agentEvents'>;

export interface Description {
  readonly text: string;
  readonly details: readonly string[];
}

/** Describes an event in words. Untrusted names are made harmless. */
export function useDescription(event: AgentLogEvent): Description {
  const { t } = useTranslation('agentEvents');
  const plain = (text: string, ...details: (string | false)[]): Description => ({
    text,
    details: details.filter((detail) => detail !== false),
  });
  switch (event.type) {
    case 'connection.opened':
    case 'connection.closed':
      return plain(t(`event.${event.type}`, { via: t(`via.${event.via}`) }), t('detail.token', tail(event.token_id)));
    case 'manifest.pushed':
      return plain(
        t('event.manifest.pushed', { version: event.version }),
        event.breaking_changes > 0 && t('detail.breaking', { count: event.breaking_changes }),
      );
    case 'token.rotated':
      return plain(
        t('event.token.rotated'),
        t('detail.token', tail(event.token_id)),
        event.overlap_seconds > 0 && t('detail.overlap', { seconds: event.overlap_seconds }),
      );
    case 'token.created':
    case 'token.revoked':
      return plain(t(`event.${event.type}`), t('detail.token', tail(event.token_id)));
    case 'webhook.delivered':
    case 'webhook.failed':
    case 'webhook.given_up':
      return plain(
        t(`event.${event.type}`, { event: displayText(event.event_type, 64) }),
        t('detail.attempt', { count: event.attempt }),
        event.status !== null && t('detail.answered', { status: event.status }),
        event.error !== null && event.status === null && displayText(event.error, 64),
        t('detail.took', { ms: event.took_ms }),
        event.type === 'webhook.failed' && t('detail.next', { time: clockTime(event.next_attempt_at) }),
      );
    case 'relation.changed':
      return plain(t(`answer.${event.answer}`), ...relation(t, event));
    case 'relation.revoked':
      return event.by === 'agent'
        ? plain(t('event.relation.ended', { count: event.relations ?? 1 }))
        : plain(t('event.relation.revoked'), ...relation(t, event));
    case 'relation.established':
      return plain(t('event.relation.established'), ...relation(t, event));
    case 'relation.suspended':
    case 'relation.restored':
      return plain(t(`event.${event.type}`, { count: event.relations ?? 1 }));
    case 'relation.reauth_required':
      return plain(
        t('event.relation.reauth_required', { version: event.version }),
        ...event.scopes.slice(0, 20).map((scope) => displayText(scope, 128)),
      );
    case 'message.relayed':
      return plain(t(`event.message.${event.direction}`, { count: event.count }), event.msg_subtype);
    case 'webhook.refused':
    case 'message.refused':
    case 'events.left_out':
      return plain(t(`event.${event.type}`, { count: event.count }));
    default:
      return plain(event.type === 'events.live' ? '' : t(`event.${event.type}`));
  }
}

/** Shows the end of an id, because the beginning is only the time. */
const tail = (id: string) => ({ id: id.slice(-8) });

function relation(t: T, { relation_id }: { readonly relation_id?: string }): string[] {
  return relation_id === undefined ? [] : [t('detail.relation', tail(relation_id))];
}
