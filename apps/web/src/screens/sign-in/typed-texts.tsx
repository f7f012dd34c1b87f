import type { Draft, Drafts } from '@parley/client';
import { displayText } from '@parley/documents';
import { useCallback, useEffect, useReducer } from 'react';
import { useTranslation } from 'react-i18next';
import type { Leftover } from '../../client/keys.ts';
import { useReadable } from '../../client/provider.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useStay } from '../../parts/use-stay.ts';

const MESSAGE = 'message/';

interface TypedTextsProps {
  readonly texts: readonly Draft[];
  readonly conversations: Leftover['conversations'];
}

/** What someone typed, each under a name that says where, to be copied. */
export function TypedTexts({ texts, conversations }: TypedTextsProps) {
  const nameOf = useNameOf(conversations);
  return (
    <ul className="grid max-h-80 gap-2 overflow-y-auto">
      {texts.map(({ key, text }) => (
        <li key={key} className="grid gap-2 rounded-lg border bg-raised p-3 text-sm">
          <h3 className="font-medium break-words">
            <bdi>{nameOf(key)}</bdi>
          </h3>
          <p dir="auto" className="max-h-32 overflow-y-auto break-words whitespace-pre-wrap">
            {readText(text)}
          </p>
          <div>
            <CopyButton text={readText(text)} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Renders again with each change: a message that was being sent comes back when the keys are gone already. */
export function useChangesOf({ subscribe }: Pick<Drafts, 'subscribe'>): void {
  const [, show] = useReducer((count: number) => count + 1, 0);
  useEffect(() => subscribe(show), [subscribe]);
}

/** What was typed into a conversation, and whatever else is in no store. */
export const typedIn = ({ drafts }: Leftover): readonly Draft[] => {
  const messages = drafts.list().filter(({ key }) => key.startsWith(MESSAGE));
  return [...messages, ...unsavedIn(drafts).filter(({ key }) => !key.startsWith(MESSAGE))];
};

export const unsavedIn = (drafts: Drafts): readonly Draft[] => drafts.unsaved().filter(({ text }) => text !== '');

/** Asks before the tab closes, while what was typed, or the end of what was sent, is not on disk (WC-1). */
export const useStayWithTyped = (drafts: Drafts): void =>
  useStay(useCallback(() => drafts.unsaved().length > 0, [drafts]));

function useNameOf(conversations: Leftover['conversations']): (key: string) => string {
  const { t } = useTranslation('signIn');
  const list = useReadable(conversations);
  const titleOf = (id: string | undefined) =>
    displayText(list.find(({ conversationId }) => conversationId === id)?.title ?? t('lost.untitled'));
  return (key) => {
    const [kind, id] = key.split('/');
    if (kind === 'message') return titleOf(id);
    if (kind === 'card') return t('typed.card', { name: titleOf(id) });
    if (key === 'manifest/new') return t('typed.agent');
    if (kind === 'manifest' || kind === 'bundle' || kind === 'skill' || kind === 'agent') return t(`typed.${kind}`);
    return t('typed.something');
  };
}

/** A document is kept together with what it began from, and a card with the labels of its fields. */
function readText(text: string): string {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof kept !== 'object' || kept === null) return text;
  if ('text' in kept && 'since' in kept && typeof kept.text === 'string') return kept.text;
  const fields = Object.values(kept).filter(isTyped);
  return fields.length === 0 ? text : fields.map(({ label, value }) => `${label}: ${value}`).join('\n');
}

const isTyped = (value: unknown): value is { readonly label: string; readonly value: string | boolean } =>
  typeof value === 'object' && value !== null && 'label' in value && 'value' in value;
