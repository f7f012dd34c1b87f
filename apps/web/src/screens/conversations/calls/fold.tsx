import { displayValue, type Json } from '@parley/documents';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { JsonView } from '../../../parts/json-view.tsx';

interface FoldProps {
  readonly label: string;
  readonly value: Json;
  /** What people read; the value itself is one click away. Without it, the value is all there is. */
  readonly children?: ReactNode;
}

/** What was asked or given: folded, for people first, as JSON on request. */
export function Fold({ label, value, children }: FoldProps) {
  const { t } = useTranslation('calls');
  const [isRaw, setRaw] = useState(children === undefined);
  return (
    <Collapsible.Root className="group border-t text-sm">
      <Collapsible.Trigger className="flex min-h-9 w-full items-center gap-1.5 px-4 text-left text-accent pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 transition group-data-[state=open]:rotate-90" />
        {label}
      </Collapsible.Trigger>
      <Collapsible.Content className="grid grid-cols-1 gap-2 px-4 pb-3">
        {isRaw ? <JsonView value={value} /> : children}
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton text={toCopy(value)} />
          {children !== undefined && (
            <button
              type="button"
              aria-expanded={isRaw}
              onClick={() => setRaw(!isRaw)}
              className="min-h-8 px-2 text-accent underline pointer-coarse:min-h-11"
            >
              {t(isRaw ? 'hideRaw' : 'showRaw')}
            </button>
          )}
        </div>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** A text is copied as it is, without quotes. Whoever pastes it sees no more than is there. */
function toCopy(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

interface DetailsProps {
  readonly label: string;
  /** Pairs of a name and what it is; the values may be anyone's. */
  readonly rows: readonly (readonly [string, string])[];
}

/** What only developers look for. */
export function Details({ label, rows }: DetailsProps) {
  return (
    <details className="text-xs text-muted">
      <summary className="min-h-6 cursor-pointer py-1 pointer-coarse:min-h-11">{label}</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 pt-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere">
              <bdi>{displayValue(value, 1_000).text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
