import type { ChatMessage } from '@parley/client';
import { displayText } from '@parley/documents';
import type { Card } from '@parley/protocol';
import { PanelRightClose } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { shortTime } from '../../i18n/time.ts';
import { IconButton } from '../../parts/button.tsx';
import { Tag } from '../../parts/level.tsx';

interface CardPanelProps {
  readonly messages: readonly ChatMessage[];
  readonly onChoose: (index: number) => void;
  readonly onClose: () => void;
}

/** Lists the cards of a conversation, newest first, with a link to each. */
export function CardPanel({ messages, onChoose, onClose }: CardPanelProps) {
  const { t } = useTranslation('conversations');
  const cards = messages.flatMap((message, index) => {
    const card = cardOf(message);
    return card === undefined ? [] : [{ message, card, index }];
  });
  return (
    <aside
      aria-label={t('cards')}
      className="absolute inset-y-0 right-0 z-20 flex w-full flex-col border-l bg-surface sm:w-80 xl:static"
    >
      <header className="flex items-center justify-between border-b px-4 py-2">
        <h3 className="font-semibold">{t('cards')}</h3>
        <IconButton label={t('closeCards')} onClick={onClose}>
          <PanelRightClose aria-hidden className="size-5" />
        </IconButton>
      </header>
      {cards.length === 0 && <p className="p-4 text-sm text-muted">{t('noCards')}</p>}
      <ul className="grid content-start gap-1 overflow-y-auto p-2">
        {cards.toReversed().map(({ message, card, index }) => (
          <li key={message.clientMessageId}>
            <button
              type="button"
              onClick={() => onChoose(index)}
              className="grid w-full gap-1 rounded-lg px-3 py-2 text-left hover:bg-raised"
            >
              <bdi className="truncate font-medium">{displayText(card.title ?? t(`kind.${card.subtype}`), 80)}</bdi>
              <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
                <Tag>{t(`kind.${card.subtype}`)}</Tag>
                <time dateTime={message.createdAt}>{shortTime(message.createdAt)}</time>
                {message.answer !== undefined && <span>{t('answered')}</span>}
                {card.progress !== undefined && (
                  <span>{t('progress', { percent: Math.round(card.progress * 100) })}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}

function cardOf({ payload }: ChatMessage): Card | undefined {
  return payload.type === 'artifact' && 'blocks' in payload.artifact ? payload.artifact : undefined;
}
