import { displayValue, type Json, type JsonObject } from '@parley/documents';
import { Braces, List } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../parts/button.tsx';
import { webHostOf } from '../../../parts/find-links.ts';
import { JsonView, TextValue } from '../../../parts/json-view.tsx';
import { AddressValue } from './address-value.tsx';

const MAX_ITEMS = 200;
/** Deeper than this, a tree is easier to read than lists in lists. */
const MAX_DEPTH = 2;
const MAX_NAME = 120;

interface ValuesProps {
  readonly value: JsonObject;
  /** The tool is one of ours: its arguments have names that people know. */
  readonly isKnown: boolean;
}

/** What a call comes with, laid out for people (WC-13), and as it was sent. All of it is shown or counted (CG-10). */
export function Values({ value, isKnown }: ValuesProps) {
  const { t } = useTranslation('conversations');
  const [isJson, setJson] = useState(false);
  if (Object.keys(value).length === 0) return <p className="text-sm text-muted">{t('prompt.nothing')}</p>;
  const Icon = isJson ? List : Braces;
  return (
    <div className="grid gap-1">
      {isJson ? <JsonView value={value} /> : <Rows value={value} isKnown={isKnown} depth={0} />}
      <Button
        variant="quiet"
        size="small"
        icon={<Icon aria-hidden className="size-4" />}
        onClick={() => setJson(!isJson)}
        className="-ml-3 justify-self-start"
      >
        {t(isJson ? 'prompt.asList' : 'prompt.asJson')}
      </Button>
    </div>
  );
}

function Rows({ value, isKnown, depth }: ValuesProps & { readonly depth: number }) {
  const entries = Object.entries(value);
  return (
    <>
      <dl className="grid gap-x-5 gap-y-1 text-sm sm:grid-cols-[fit-content(14rem)_1fr]">
        {entries.slice(0, MAX_ITEMS).map(([name, item]) => (
          <div key={name} className="contents">
            <dt className="min-w-0 text-muted wrap-anywhere">
              <Label name={name} isKnown={isKnown} />
            </dt>
            <dd className="min-w-0 max-sm:mb-1">
              <Item value={item} depth={depth} />
            </dd>
          </div>
        ))}
      </dl>
      <More count={entries.length - MAX_ITEMS} />
    </>
  );
}

function Label({ name, isKnown }: { readonly name: string; readonly isKnown: boolean }) {
  const { t, i18n } = useTranslation(['conversations', 'parts']);
  const key = `conversations:prompt.names.${name}`;
  if (isKnown && /^[a-z_]+$/.test(name) && i18n.exists(key)) return t(`prompt.names.${name}` as 'prompt.names.url');
  const { text, cut } = displayValue(name, MAX_NAME);
  return (
    <>
      <bdi>{toWords(text)}</bdi>
      {cut > 0 && ` … ${t('parts:cut', { count: cut })}`}
    </>
  );
}

/** `agent_name` as people write it. Any name that is not only letters and digits stays as it is. */
function toWords(name: string): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) return name;
  return `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function Item({ value, depth }: { readonly value: Json; readonly depth: number }) {
  const { t } = useTranslation('conversations');
  if (value === null || value === '') return <span className="text-muted">{t('prompt.empty')}</span>;
  if (typeof value === 'boolean') return t(value ? 'prompt.yes' : 'prompt.no');
  if (typeof value === 'number') return <span className="tabular-nums">{String(value)}</span>;
  if (typeof value === 'string')
    return webHostOf(value) !== undefined ? <AddressValue value={value} /> : <TextValue value={value} />;
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if ((items ?? Object.keys(value)).length === 0) return <span className="text-muted">{t('prompt.empty')}</span>;
  if (depth >= MAX_DEPTH) return <JsonView value={value} />;
  if (items === undefined) return <Rows value={value as JsonObject} isKnown={false} depth={depth + 1} />;
  return (
    <>
      <ul className="list-disc pl-5">
        {items.slice(0, MAX_ITEMS).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <li key={index}>
            <Item value={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      <More count={items.length - MAX_ITEMS} />
    </>
  );
}

function More({ count }: { readonly count: number }) {
  const { t } = useTranslation('parts');
  return count > 0 && <p className="text-sm text-muted">{t('more', { count })}</p>;
}
