import { type ChatMessage, cardDraftKey } from '@parley/client';
import { displayText } from '@parley/documents';
import type { Card } from '@parley/protocol';
import { ArrowLeft, LocateFixed, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../client/use-draft.ts';
import { shortTime } from '../../i18n/time.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Contained } from '../../parts/contained.tsx';
import { Tag } from '../../parts/level.tsx';
import { CardView } from './card-view.tsx';
import { CardRevisions } from './cards/card-revisions.tsx';
import { OpenInPanel } from './cards/panel-context.ts';
import type { Panel } from './cards/use-panel.ts';
import { Unshown } from './message.tsx';
import { keyOf } from './message-key.ts';

interface CardPanelProps {
  readonly panel: Panel;
  readonly messages: readonly ChatMessage[];
  /** Shows the message in the conversation. */
  readonly onFind: (index: number) => void;
}

interface Found {
  readonly message: ChatMessage;
  readonly card: Card;
  readonly index: number;
}

/** The cards of a conversation in one place, newest first: one is filled in, sent again and compared here (WC-25). */
export function CardPanel({ panel, messages, onFind }: CardPanelProps) {
  const { t } = useTranslation(['conversations', 'cards']);
  const { wasAsked, covers } = panel;
  const box = useRef<HTMLElement>(null);
  const cards = messages.flatMap((message, index): Found[] => {
    const card = cardOf(message);
    return card === undefined ? [] : [{ message, card, index }];
  });
  const chosen = cards.findLast(({ message }) => keyOf(message) === panel.chosen);
  const chosenKey = chosen && keyOf(chosen.message);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens, and when another card is shown
  useEffect(() => {
    if (wasAsked) box.current?.focus();
  }, [chosenKey]);
  const find = (index: number) => {
    if (covers) panel.close();
    // What the panel has covered comes back first.
    requestAnimationFrame(() => onFind(index));
  };
  const press = ({ key, target }: KeyboardEvent) => {
    // React hands on what happens in a dialog that was opened here. Its keys, and those of a field, are its own.
    const isOwn = box.current?.contains(target as Element) && !(target as Element).matches('input, textarea, select');
    if (key === 'Escape' && isOwn) panel.close();
  };
  return (
    <aside
      ref={box}
      tabIndex={-1}
      aria-label={t('cards')}
      onKeyDown={press}
      className="absolute inset-0 z-20 flex flex-col bg-surface outline-none min-[72rem]:static min-[72rem]:w-72 min-[72rem]:shrink-0 min-[72rem]:border-l xl:w-80 2xl:w-[28rem]"
    >
      <header className="flex items-center gap-1 border-b px-2 py-2">
        {chosen !== undefined ? (
          <IconButton label={t('cards:all')} onClick={() => panel.open()}>
            <ArrowLeft aria-hidden className="size-5" />
          </IconButton>
        ) : (
          covers && (
            <IconButton label={t('cards:back')} onClick={panel.close}>
              <ArrowLeft aria-hidden className="size-5" />
            </IconButton>
          )
        )}
        <h3 className="min-w-0 flex-1 truncate px-2 font-semibold">
          <bdi>{chosen === undefined ? t('cards') : t(`kind.${chosen.card.subtype}`)}</bdi>
        </h3>
        <IconButton label={t('closeCards')} onClick={panel.close}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </header>
      {chosen === undefined ? (
        <CardList cards={cards} onOpen={panel.open} />
      ) : (
        <Chosen key={chosenKey} {...chosen} onFind={() => find(chosen.index)} />
      )}
    </aside>
  );
}

const nameOf = (card: Card, kind: string) => displayText(card.title ?? kind, 80);

function Chosen({ message, card, onFind }: Found & { readonly onFind: () => void }) {
  const { t } = useTranslation('cards');
  return (
    <div className="grid min-h-0 flex-1 grid-cols-1 content-start gap-5 overflow-y-auto p-3">
      <OpenInPanel value={undefined}>
        <Contained subject={card} fallback={<Unshown />}>
          <CardView message={message} card={card} wide />
        </Contained>
      </OpenInPanel>
      <div>
        <Button size="small" icon={<LocateFixed aria-hidden className="size-4" />} onClick={onFind}>
          {t('inConversation')}
        </Button>
      </div>
      <CardRevisions message={message} card={card} />
    </div>
  );
}

interface CardListProps {
  readonly cards: readonly Found[];
  readonly onOpen: (messageKey: string) => void;
}

function CardList({ cards, onOpen }: CardListProps) {
  const { t } = useTranslation('conversations');
  if (cards.length === 0) return <p className="p-4 text-sm text-muted">{t('noCards')}</p>;
  return (
    <ul className="grid content-start gap-1 overflow-y-auto p-2">
      {cards.toReversed().map((found) => (
        <li key={keyOf(found.message)}>
          <Entry {...found} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ message, card, onOpen }: Found & Pick<CardListProps, 'onOpen'>) {
  const { t } = useTranslation(['conversations', 'cards']);
  const [draft] = useDraft(cardDraftKey(message.conversationId, message.sender, card.artifact_id));
  const kind = t(`kind.${card.subtype}`);
  const time = message.revisedAt ?? message.createdAt;
  return (
    <button
      type="button"
      onClick={() => onOpen(keyOf(message))}
      className="grid w-full gap-1 rounded-lg px-3 py-2 text-left hover:bg-raised"
    >
      <bdi className="truncate font-medium">{nameOf(card, kind)}</bdi>
      <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Tag>{kind}</Tag>
        <time dateTime={time}>{shortTime(time)}</time>
        {draft !== '' ? (
          <span className="font-medium text-medium">{t('cards:half')}</span>
        ) : (
          message.answer !== undefined && <span>{t('answered')}</span>
        )}
        {card.progress !== undefined && <span>{t('progress', { percent: Math.round(card.progress * 100) })}</span>}
      </span>
    </button>
  );
}

function cardOf({ payload }: ChatMessage): Card | undefined {
  return payload.type === 'artifact' && 'blocks' in payload.artifact ? payload.artifact : undefined;
}
