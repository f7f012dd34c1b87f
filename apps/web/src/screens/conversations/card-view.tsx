import type { ChatMessage } from '@parley/client';
import { displayText } from '@parley/documents';
import type { Block, Card } from '@parley/protocol';
import { PanelRightOpen } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { shortTime } from '../../i18n/time.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { BlockView } from './cards/card-blocks.tsx';
import { type FieldValue, isField, isSecret } from './cards/card-draft.ts';
import { CardField, nameOf } from './cards/card-field.tsx';
import { LostFields } from './cards/lost-fields.tsx';
import { useOpenInPanel } from './cards/panel-context.ts';
import { useCardDraft } from './cards/use-card-draft.ts';
import { keyOf } from './message-key.ts';

const LOOKS = { primary: 'primary', danger: 'danger', plain: 'plain' } as const;

interface CardViewProps {
  readonly message: ChatMessage;
  readonly card: Card;
  /** Takes the width that there is. */
  readonly wide?: boolean;
}

/** Shows an artifact (TC-10) as a card with what the agent says and asks for. */
export function CardView({ message, card, wide = false }: CardViewProps) {
  const { t } = useTranslation(['conversations', 'cards']);
  const { conversations } = useDevice();
  const { answer: answered } = message;
  const draft = useCardDraft(message, card);
  const [isEditing, setEditing] = useState(false);
  const send = useAction(async (action: string, values: Record<string, FieldValue>) => {
    const { conversationId, sender } = message;
    await conversations.answerCard(conversationId, card.artifact_id, { action, values, sender });
    draft.clearSent();
    setEditing(false);
  });
  const fields = card.blocks.filter(isField);
  const actions = card.blocks.filter((block) => block.tag === 'action');
  const isOpen = answered === undefined || isEditing || (fields.length > 0 && !draft.isEmpty);
  const disabled = !isOpen || send.busy;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget);
    const read = (field: (typeof fields)[number]) =>
      isSecret(field) ? String(form.get(nameOf(field)) ?? '') : draft.read(field);
    const values = Object.fromEntries(fields.map((field) => [field.id, read(field)]));
    send.run(submitter?.getAttribute('value') ?? 'submit', values);
  };
  const stopEditing = () => {
    draft.clear();
    setEditing(false);
  };
  return (
    <form
      onSubmit={submit}
      className={classNames(
        'grid w-full grid-cols-1 gap-3 rounded-2xl border bg-surface px-4 py-4',
        !wide && 'max-w-[min(42rem,92%)] shadow-card',
      )}
    >
      <Head message={message} card={card} />
      {card.progress !== undefined && <Progress value={card.progress} />}
      {keyed(card.blocks).map(([key, block]) =>
        isField(block) ? (
          <CardField
            key={key}
            field={block}
            value={draft.read(block)}
            disabled={disabled}
            onChange={(value) => draft.write(block, value)}
          />
        ) : (
          <BlockView key={key} block={block} />
        ),
      )}
      {draft.lost.length > 0 && <LostFields lost={draft.lost} onDone={draft.dropLost} />}
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <Button
              key={action.id}
              type="submit"
              value={action.id}
              variant={LOOKS[action.style ?? 'plain']}
              disabled={disabled}
            >
              {displayText(action.label, 80)}
            </Button>
          ))}
        </div>
      )}
      {fields.length > 0 && actions.length === 0 && (
        <Button type="submit" variant="primary" disabled={!isOpen} busy={send.busy}>
          {t('submit')}
        </Button>
      )}
      {send.error !== undefined && <Notice tone="error">{explain(send.error)}</Notice>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted empty:hidden">
        {answered !== undefined && <Answered answer={answered} blocks={card.blocks} />}
        {(card.revision ?? 1) > 1 && <span>{t('revision', { count: card.revision ?? 1 })}</span>}
        {answered !== undefined && fields.length > 0 && (
          <Button size="small" variant="quiet" onClick={isOpen ? stopEditing : () => setEditing(true)}>
            {t(isOpen ? 'cards:keepAnswer' : 'cards:edit')}
          </Button>
        )}
        {answered === undefined && !draft.isEmpty && (
          <Button size="small" variant="quiet" disabled={send.busy} onClick={draft.clear}>
            {t('cards:discard')}
          </Button>
        )}
      </div>
    </form>
  );
}

function Head({ message, card }: Pick<CardViewProps, 'message' | 'card'>) {
  const { t } = useTranslation(['conversations', 'cards']);
  const open = useOpenInPanel();
  const title = displayText(card.title ?? t(`kind.${card.subtype}`), 80);
  if (open === undefined && card.title === undefined) return null;
  return (
    <div className="flex items-start gap-2">
      <h3 className="min-w-0 flex-1 font-semibold wrap-anywhere">
        <bdi>{card.title === undefined ? title : displayText(card.title)}</bdi>
      </h3>
      {open !== undefined && (
        <IconButton
          label={t('cards:openLabel', { title })}
          className="-my-2 -mr-2 shrink-0"
          onClick={() => open(keyOf(message))}
        >
          <PanelRightOpen aria-hidden className="size-5" />
        </IconButton>
      )}
    </div>
  );
}

interface AnsweredProps {
  readonly answer: NonNullable<ChatMessage['answer']>;
  readonly blocks: readonly Block[];
}

function Answered({ answer, blocks }: AnsweredProps) {
  const { t } = useTranslation(['conversations', 'cards']);
  const chosen = blocks.find((block) => block.tag === 'action' && block.id === answer.action);
  const label = chosen?.tag === 'action' ? displayText(chosen.label, 80) : undefined;
  const { answeredAt, times = 1 } = answer;
  if (times > 1 && answeredAt !== undefined) {
    const time = shortTime(answeredAt);
    return (
      <span>
        {label === undefined ? t('cards:answeredAgain', { time }) : t('cards:answeredAgainWith', { time, label })}
      </span>
    );
  }
  return <span>{label === undefined ? t('answered') : t('answeredWith', { label })}</span>;
}

/** A field keeps its place in the page when an update puts something before it: a secret is nowhere else. */
function keyed(blocks: readonly Block[]): (readonly [string, Exclude<Block, { tag: 'action' }>])[] {
  const taken = new Set<string>();
  return blocks.flatMap((block, index) => {
    if (block.tag === 'action') return [];
    const name = isField(block) ? `${block.tag} ${block.id}` : `${index}`;
    const key = taken.has(name) ? `${index}` : name;
    taken.add(key);
    return [[key, block] as const];
  });
}

function Progress({ value }: { readonly value: number }) {
  const { t } = useTranslation('conversations');
  const percent = Math.round(value * 100);
  return (
    <div>
      <progress
        value={percent}
        max={100}
        aria-label={t('progress', { percent })}
        className="h-2 w-full accent-accent"
      />
      <p className="text-sm text-muted">{t('progress', { percent })}</p>
    </div>
  );
}
