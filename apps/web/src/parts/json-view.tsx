import { displayText, displayValue, type Json, type JsonObject } from '@parley/documents';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from './class-names.ts';
import { ScrollArea } from './scroll-area.tsx';

/** Long values are folded to the first number of characters, and never shown beyond the second. */
const FOLDED = 160;
const SHOWN = 20_000;
const MAX_ROWS = 200;

/**
 * Shows untrusted values as a tree. Names and values are text, never markup; invisible characters are made visible, and
 * letters that only look Latin are marked.
 */
export function JsonView({ value, open = true }: { readonly value: Json; readonly open?: boolean }) {
  return (
    <ScrollArea as="div" className="overflow-x-auto rounded-lg bg-raised px-3 py-2 font-mono text-sm" dir="ltr">
      <Node value={value} open={open} depth={0} />
    </ScrollArea>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: Json;
  readonly open: boolean;
  readonly depth: number;
}

function Node({ name, value, open, depth }: NodeProps) {
  if (typeof value === 'object' && value !== null) return <Branch {...{ name, value, open, depth }} />;
  return (
    <div className="py-0.5">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  );
}

interface BranchProps {
  readonly name: string | undefined;
  readonly value: readonly Json[] | JsonObject;
  readonly open: boolean;
  readonly depth: number;
}

function Branch({ name, value, open, depth }: BranchProps) {
  const { t } = useTranslation('parts');
  const [isOpen, setOpen] = useState(open && depth < 3);
  const isList = Array.isArray(value);
  const entries = Object.entries(value as Record<string, Json>);
  const count = isList ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div className="py-0.5">
        <Name name={name} />
        <span className="text-muted">{isList ? '[]' : '{}'}</span>
      </div>
    );
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1 flex min-h-6 items-center gap-1 rounded px-1 text-left hover:bg-surface"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 transition', isOpen && 'rotate-90')} />
        <Name name={name} />
        <span className="text-muted">{count}</span>
      </button>
      {isOpen && (
        <div className="ml-2 border-l pl-3">
          {entries.slice(0, MAX_ROWS).map(([key, item]) => (
            <Node key={key} name={key} value={item} open={open} depth={depth + 1} />
          ))}
          {entries.length > MAX_ROWS && <p className="text-muted">{t('more', { count: entries.length - MAX_ROWS })}</p>}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  const { t } = useTranslation('parts');
  if (name === undefined) return null;
  const { text, cut } = displayValue(name, 80);
  return (
    <span className="text-info">
      <bdi>{text}</bdi>
      {cut > 0 && <span className="text-muted">… {t('cut', { count: cut })}</span>}
      <span className="text-muted">: </span>
    </span>
  );
}

function Leaf({ value }: { readonly value: string | number | boolean | null }) {
  if (typeof value !== 'string') return <span className="text-accent">{String(value)}</span>;
  return <TextValue value={value} />;
}

/** A text of someone else, folded where it is long. */
export function TextValue({ value }: { readonly value: string }) {
  const { t } = useTranslation('parts');
  const [isOpen, setOpen] = useState(false);
  const folded = displayValue(value, FOLDED);
  const { text, cut } = isOpen ? displayValue(value, SHOWN) : folded;
  const mixed = findMixedScript(value);
  return (
    <span className="break-all">
      <bdi className="whitespace-pre-wrap">{text}</bdi>
      {cut > 0 && <span className="font-sans text-xs text-muted">… {t('cut', { count: cut })}</span>}
      {mixed && (
        <span title={t('homoglyphs')} className="ml-1 rounded bg-medium-soft px-1 text-xs font-semibold text-medium">
          {t('lookalike', { word: displayText(mixed, 40) })}
        </span>
      )}
      {folded.cut > 0 && (
        <button type="button" onClick={() => setOpen(!isOpen)} className="ml-2 font-sans text-xs text-accent underline">
          {isOpen ? t('fold') : t('unfold', { count: [...value].length })}
        </button>
      )}
    </span>
  );
}

/** Matches a word that mixes Latin with Cyrillic or Greek, as fake addresses do. */
function findMixedScript(text: string): string | undefined {
  return text
    .slice(0, SHOWN)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .find((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}
