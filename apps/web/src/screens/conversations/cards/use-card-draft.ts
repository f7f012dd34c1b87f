import { type ChatMessage, cardDraftKey } from '@parley/client';
import type { Card } from '@parley/protocol';
import { useEffect, useMemo } from 'react';
import { useDevice } from '../../../client/provider.tsx';
import { useDraft } from '../../../client/use-draft.ts';
import {
  currentValue,
  type Field,
  type FieldValue,
  formatDraft,
  lostOf,
  parseDraft,
  setValue,
  withoutLost,
  withoutSame,
  withoutSecrets,
  withoutSent,
} from './card-draft.ts';

/** What was typed into a card and not sent (WC-23); the same wherever the card is shown. */
export function useCardDraft({ conversationId, sender, answer }: ChatMessage, card: Card) {
  const { drafts } = useDevice();
  const key = cardDraftKey(conversationId, sender, card.artifact_id);
  const [text, setText] = useDraft(key);
  const answered = answer?.values;
  const draft = useMemo(
    () => withoutSame(withoutSecrets(parseDraft(text), card), card, answered),
    [text, card, answered],
  );
  useEffect(() => {
    if (parseDraft(text).size > draft.size) setText(formatDraft(draft));
  }, [text, draft, setText]);
  return {
    isEmpty: draft.size === 0,
    lost: useMemo(() => lostOf(draft, card), [draft, card]),
    read: (field: Field): FieldValue => currentValue(field, draft, answered),
    write: (field: Field, value: FieldValue) => setText(formatDraft(setValue(draft, field, { value, answered }))),
    dropLost: () => setText(formatDraft(withoutLost(draft, card))),
    clear: () => setText(''),
    /** What was in it when this was rendered has been sent. */
    clearSent: () => setText(formatDraft(withoutSent(parseDraft(drafts.get(key) ?? ''), draft))),
  };
}
