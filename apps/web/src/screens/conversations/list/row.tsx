import type { ConversationView } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { BellOff, Bot, User, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../../client/provider.tsx';
import { longTime, shortTime } from '../../../i18n/time.ts';
import { classNames } from '../../../parts/class-names.ts';
import { ConversationMenu } from './conversation-menu.tsx';
import { LastMessage } from './last-message.tsx';

const ICONS = { h2a: Bot, h2h: User, group: Users } as const;

interface RowProps {
  readonly conversation: ConversationView;
  readonly isOpen: boolean;
}

/** The menu is beside the link: a button inside of it could not be reached by a screen reader. */
export function Row({ conversation, isOpen }: RowProps) {
  const { t } = useTranslation('conversations');
  const { drafts } = useDevice();
  const { conversationId, kind, title, unread, lastMessageAt, preview } = conversation;
  const Icon = ICONS[kind];
  // What is being typed is before one's eyes already.
  const draft = isOpen ? undefined : drafts.get(`message/${conversationId}`);
  return (
    <div className="group flex items-center rounded-lg hover:bg-raised has-[[data-status=active]]:bg-accent-soft">
      <Link
        to="/c/$conversationId"
        params={{ conversationId }}
        className="flex min-h-15 min-w-0 flex-1 items-center gap-3 rounded-lg py-2 ps-3"
      >
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-raised text-muted">
          <Icon aria-hidden className="size-4.5" />
        </span>
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
          <span className="flex items-center gap-2">
            <bdi className={classNames('min-w-0 truncate', unread > 0 ? 'font-bold' : 'font-medium')}>
              {title || t('untitled')}
            </bdi>
            <Muted conversation={conversation} />
            {lastMessageAt !== null && (
              <time dateTime={lastMessageAt} className="ms-auto shrink-0 text-xs text-muted">
                {shortTime(lastMessageAt)}
              </time>
            )}
          </span>
          <span className="flex items-center gap-2 text-sm text-muted">
            <span className="min-w-0 flex-1 truncate">
              <LastMessage preview={preview} draft={draft} />
            </span>
            {unread > 0 && <Unread conversation={conversation} />}
          </span>
        </span>
      </Link>
      <ConversationMenu
        view={conversation}
        className="md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:data-[state=open]:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

function Muted({ conversation: { mutedUntil } }: Pick<RowProps, 'conversation'>) {
  const { t } = useTranslation('conversations');
  if (mutedUntil === undefined) return null;
  const label = mutedUntil === 'always' ? t('manage.muted') : t('manage.mutedUntil', { time: longTime(mutedUntil) });
  return (
    <span role="img" aria-label={label} title={label} className="shrink-0 text-muted">
      <BellOff aria-hidden className="size-3.5" />
    </span>
  );
}

/** What is muted is counted, quietly. */
function Unread({ conversation: { unread, mutedUntil } }: Pick<RowProps, 'conversation'>) {
  const { t } = useTranslation('conversations');
  return (
    <span
      className={classNames(
        'min-w-5 rounded-full px-1.5 text-center text-xs font-semibold',
        mutedUntil === undefined ? 'bg-accent text-on-accent' : 'border bg-surface text-muted',
      )}
    >
      <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
      <span className="sr-only">{t('unread', { count: unread })}</span>
    </span>
  );
}
