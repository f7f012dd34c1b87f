import { Mic, Paperclip, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { pickFile } from '../../client/pick-file.ts';
import { useDevice } from '../../client/provider.tsx';
import { useDraft } from '../../client/use-draft.ts';
import { IconButton } from '../../parts/button.tsx';
import { useAction } from '../../parts/use-action.ts';
import { readAttachment } from './attachment.ts';
import { COMPOSER_ID } from './calls/use-write.ts';
import { trimBlankLines } from './trim-blank-lines.ts';

const TYPING_MS = 3_000;
const MAX_TEXT = 100_000;

interface ComposerProps {
  readonly conversationId: string;
  /** The agent accepts voice messages; this client cannot record them yet. */
  readonly hasVoice: boolean;
}

export function Composer({ conversationId, hasVoice }: ComposerProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const [text, setText] = useDraft(`message/${conversationId}`);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const typed = useRef(0);
  const attach = useAction(async () => {
    setIsTooLarge(false);
    const file = await pickFile();
    if (file === undefined) return;
    const attachment = await readAttachment(file);
    setIsTooLarge(attachment === undefined);
    if (attachment !== undefined) await conversations.sendAttachment(conversationId, attachment);
  });
  const message = trimBlankLines(text);
  const isTooLong = message.length > MAX_TEXT;
  const isSendable = message !== '' && !isTooLong;
  const send = () => {
    if (!isSendable) return;
    setText('');
    // A message that cannot be sent stays in the conversation with a button to send it again.
    void conversations.sendText(conversationId, message).catch(() => {});
  };
  const press = (event: KeyboardEvent) => {
    // While an input method composes characters, Enter chooses one. Safari says only by this number that it did.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };
  const change = (next: string) => {
    setText(next);
    const now = Date.now();
    if (now - typed.current < TYPING_MS || next === '') return;
    typed.current = now;
    conversations.typing(conversationId);
  };
  return (
    <div className="border-t bg-surface px-3 pt-2 pb-3">
      {(isTooLarge || attach.error !== undefined) && (
        <p role="alert" className="px-2 pb-1 text-sm text-high">
          {isTooLarge ? t('tooLarge') : explain(attach.error)}
        </p>
      )}
      {isTooLong && (
        <p role="alert" className="px-2 pb-1 text-sm text-high">
          {t('thread.tooLong', { count: message.length - MAX_TEXT, max: MAX_TEXT })}
        </p>
      )}
      <div className="flex items-end gap-1">
        <IconButton label={t('attach')} disabled={attach.busy} onClick={() => attach.run()}>
          <Paperclip aria-hidden className="size-5" />
        </IconButton>
        {hasVoice && (
          <IconButton label={t('voice')} disabled>
            <Mic aria-hidden className="size-5" />
          </IconButton>
        )}
        <textarea
          id={COMPOSER_ID}
          value={text}
          rows={1}
          onChange={({ target }) => change(target.value)}
          onKeyDown={press}
          placeholder={t('write')}
          aria-label={t('write')}
          aria-invalid={isTooLong || undefined}
          enterKeyHint="send"
          dir="auto"
          className="field-sizing-content max-h-40 min-h-10 flex-1 resize-none rounded-lg border bg-page px-3 py-2 outline-none focus:border-accent focus:ring-1 focus:ring-accent"
        />
        <IconButton
          label={t('send')}
          disabled={!isSendable}
          onClick={send}
          className="bg-accent text-on-accent enabled:hover:bg-accent enabled:hover:text-on-accent"
        >
          <SendHorizontal aria-hidden className="size-5" />
        </IconButton>
      </div>
    </div>
  );
}
