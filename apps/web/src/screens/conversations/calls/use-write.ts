import { useDevice } from '../../../client/provider.tsx';
import { withoutIsolates } from '../../../i18n/isolate.ts';

/** The box in which a person writes to this conversation. */
export const COMPOSER_ID = 'composer';

/**
 * Writes a sentence for the person where they write themselves: they see it, may change it, and send it or not. What was
 * there stays.
 */
export function useWrite(conversationId: string): (sentence: string) => void {
  const { drafts } = useDevice();
  return (shown) => {
    const sentence = withoutIsolates(shown);
    const key = `message/${conversationId}`;
    const typed = drafts.get(key) ?? '';
    if (!typed.includes(sentence)) drafts.set(key, typed.trim() === '' ? sentence : `${typed.trimEnd()}\n${sentence}`);
    const box = document.getElementById(COMPOSER_ID);
    if (!(box instanceof HTMLTextAreaElement)) return;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  };
}
