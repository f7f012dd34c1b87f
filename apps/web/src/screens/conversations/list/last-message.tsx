import type { MessagePreview } from '@parley/client';
import { displayText } from '@parley/documents';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

interface LastMessageProps {
  readonly preview: MessagePreview | undefined;
  readonly draft: string | undefined;
}

const MAX_DRAFT = 120;

/** The last message in one line. A draft comes first: someone wanted to send it. */
export function LastMessage({ preview, draft }: LastMessageProps) {
  const { t } = useTranslation('conversations');
  if (draft !== undefined && draft.trim() !== '') {
    const text = displayText(draft.slice(0, 600).replaceAll(/\s+/g, ' ').trim(), MAX_DRAFT);
    return <span className="text-accent">{t('preview.draft', { text })}</span>;
  }
  return preview === undefined ? null : describe(preview, t);
}

/** What a call wants, by its scope; other scopes are named by their tool. */
const WANTED = {
  'clipboard:read': 'clipboard',
  'filesystem:read': 'file',
  'location:read': 'location',
  'network:http': 'web',
  'notification:send': 'notification',
} as const;

function describe({ kind, own, text, scope = '', state }: MessagePreview, t: TFunction<'conversations'>): string {
  switch (kind) {
    case 'text':
      return own ? t('preview.you', { text }) : text;
    case 'card':
      return t('preview.card', { text });
    case 'answer':
      return t(own ? 'preview.youAnswered' : 'preview.answered');
    case 'system':
      return t('system');
    case 'call': {
      const what = Object.hasOwn(WANTED, scope) ? WANTED[scope as keyof typeof WANTED] : 'other';
      return t(`preview.${state === 'waiting' ? 'wants' : 'wanted'}.${what}`, { tool: text });
    }
    default:
      return own ? t('preview.you', { text: t(`preview.${kind}`, { text }) }) : t(`preview.${kind}`, { text });
  }
}
