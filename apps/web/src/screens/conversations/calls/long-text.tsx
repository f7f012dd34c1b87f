import { displayValue } from '@parley/documents';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount } from '../../../i18n/amount.ts';
import { ScrollArea } from '../../../parts/scroll-area.tsx';

const FOLDED = { characters: 600, lines: 8 };

/** Shows a text as it is, line by line, with hidden characters made visible. A long one is cut until it is asked for. */
export function LongText({ text }: { readonly text: string }) {
  const { t } = useTranslation('calls');
  const [isOpen, setOpen] = useState(false);
  const folded = cut(text);
  const isLong = folded.length < text.length;
  return (
    <div className="grid gap-1">
      <ScrollArea
        as="div"
        dir="auto"
        className="max-h-80 overflow-y-auto rounded-lg bg-raised px-3 py-2 wrap-anywhere whitespace-pre-wrap"
      >
        {makeVisible(isOpen ? text : folded)}
        {isLong && !isOpen && ' …'}
      </ScrollArea>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="min-h-6 justify-self-start text-accent underline pointer-coarse:min-h-11"
        >
          {isOpen
            ? t('showLess')
            : t('showAll', { size: formatAmount(new TextEncoder().encode(text).length, 'bytes') })}
        </button>
      )}
    </div>
  );
}

function cut(text: string): string {
  const lines = text.slice(0, FOLDED.characters).split('\n').slice(0, FOLDED.lines).join('\n');
  // Not in the middle of a character.
  return lines.length < text.length ? lines.replace(/[\ud800-\udbff]$/, '') : lines;
}

/** The ends of lines stay what they are. */
function makeVisible(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => displayValue(line, Number.POSITIVE_INFINITY).text)
    .join('\n');
}
