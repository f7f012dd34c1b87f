import type { CardRevision, ChatMessage } from '@parley/client';
import type { Card } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../../client/provider.tsx';
import { longTime } from '../../../i18n/time.ts';
import { classNames } from '../../../parts/class-names.ts';
import { Notice } from '../../../parts/notice.tsx';
import { ScrollArea } from '../../../parts/scroll-area.tsx';
import { Select } from '../../../parts/select.tsx';
import { type ComparedLine, compareLines } from './compare-lines.ts';
import { useDescribeCard } from './describe-card.ts';

interface CardRevisionsProps {
  readonly message: ChatMessage;
  readonly card: Card;
}

const numberOf = ({ card }: CardRevision) => card.revision ?? 1;

/** Lets the person choose two revisions of a card and see what changed between them. */
export function CardRevisions({ message, card }: CardRevisionsProps) {
  const { t } = useTranslation('cards');
  const title = useId();
  const { conversations } = useDevice();
  const { conversationId, sender } = message;
  const { data: earlier, error } = useQuery({
    queryKey: ['card-revisions', conversationId, sender.id, card.artifact_id, card.revision],
    queryFn: () => conversations.cardRevisions(conversationId, { sender, artifactId: card.artifact_id }),
    // They are on this device.
    networkMode: 'always',
  });
  const [chosen, choose] = useState<{ readonly older?: number; readonly newer?: number }>({});
  if (error !== null) return <Notice tone="error">{t('failed')}</Notice>;
  if (earlier === undefined || earlier.length === 0) return null;
  const shown: CardRevision = { card, createdAt: message.revisedAt ?? message.createdAt };
  const all = [...earlier.filter((one) => numberOf(one) < numberOf(shown)), shown];
  const pick = (number: number | undefined, otherwise: CardRevision) =>
    all.find((one) => numberOf(one) === number) ?? otherwise;
  const older = pick(chosen.older, all.at(-2) ?? shown);
  const newer = pick(chosen.newer, shown);
  const options = all.map((one) => ({
    value: String(numberOf(one)),
    label: t('revision', { count: numberOf(one), time: longTime(one.createdAt) }),
  }));
  return (
    <section aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <h4 id={title} className="font-semibold">
        {t('revisions')}
      </h4>
      {numberOf(all[0]!) > 1 && <p className="text-sm text-muted">{t('onlyLast')}</p>}
      <div className="grid gap-2 text-sm">
        <Select
          label={t('older')}
          value={String(numberOf(older))}
          options={options}
          onChange={(value) => choose({ ...chosen, older: Number(value) })}
        />
        <Select
          label={t('newer')}
          value={String(numberOf(newer))}
          options={options}
          onChange={(value) => choose({ ...chosen, newer: Number(value) })}
        />
      </div>
      <Differences before={older.card} after={newer.card} />
    </section>
  );
}

function Differences({ before, after }: { readonly before: Card; readonly after: Card }) {
  const { t } = useTranslation('cards');
  const describe = useDescribeCard();
  const lines = useMemo(() => compareLines(describe(before), describe(after)), [before, after, describe]);
  const count = lines.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <p role="status" className="text-sm text-muted">
        {count === 0 ? t('same') : t('changes', { count })}
      </p>
      {count > 0 && (
        <ScrollArea
          as="div"
          className="max-h-96 overflow-auto rounded-lg border font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere"
        >
          {fold(lines).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names
            <Part key={index} part={part} />
          ))}
        </ScrollArea>
      )}
    </>
  );
}

const AROUND = 2;
type Part = ComparedLine | { readonly kind: 'skipped'; readonly count: number };

/** Of what is the same, only what is beside a difference is shown. */
function fold(lines: readonly ComparedLine[]): readonly Part[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') for (let at = index - AROUND; at <= index + AROUND; at++) near.add(at);
  }
  const parts: Part[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (near.has(index)) parts.push(line);
    else if (last?.kind === 'skipped') parts[parts.length - 1] = { kind: 'skipped', count: last.count + 1 };
    else parts.push({ kind: 'skipped', count: 1 });
  }
  return parts;
}

const LOOKS = {
  same: { Element: 'p', sign: ' ', style: '' },
  added: { Element: 'ins', sign: '+', style: 'bg-low-soft' },
  removed: { Element: 'del', sign: '−', style: 'bg-high-soft' },
} as const;

function Part({ part }: { readonly part: Part }) {
  const { t } = useTranslation('cards');
  if (part.kind === 'skipped')
    return <p className="bg-raised px-3 py-0.5 font-sans text-muted">{t('skipped', { count: part.count })}</p>;
  const { Element, sign, style } = LOOKS[part.kind];
  return (
    <Element className={classNames('flex gap-2 px-3 text-ink no-underline', style)}>
      <span aria-hidden>{sign}</span>
      {part.kind !== 'same' && <span className="sr-only">{t(part.kind)}</span>}
      <bdi className="min-w-0">{part.text}</bdi>
    </Element>
  );
}
