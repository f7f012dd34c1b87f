import type { Json } from '@parley/documents';
import { displayText } from '@parley/documents';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount } from '../../../i18n/amount.ts';
import { currentLocale } from '../../../i18n/index.ts';
import { JsonView } from '../../../parts/json-view.tsx';
import { LongText } from './long-text.tsx';
import { readResult, readTitle } from './read-result.ts';

const MAX_TITLE = 200;

/** Shows what a tool gave as a person would name it; what has no such name is shown as it is. */
export function ReadableResult({ result }: { readonly result: Json | undefined }) {
  const { t } = useTranslation('calls');
  const view = useMemo(() => readResult(result), [result]);
  switch (view.kind) {
    case 'nothing':
      return <p>{t('result.nothing')}</p>;
    case 'shown':
      return <p>{t('result.shown')}</p>;
    case 'file':
      return <p>{t('result.file', { size: formatAmount(view.bytes, 'bytes') })}</p>;
    case 'place':
      return <Place {...view} />;
    case 'page':
      return <Page {...view} />;
    case 'text':
      return (
        <div className="grid gap-1.5">
          <p className="text-muted">
            {view.text === '' ? t('result.empty') : t('result.text', { size: formatAmount(view.bytes, 'bytes') })}
          </p>
          {view.text !== '' && <LongText text={view.text} />}
        </div>
      );
    case 'other':
      return <JsonView value={result as Json} />;
  }
}

interface PlaceProps {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy?: number;
}

function Place({ latitude, longitude, accuracy }: PlaceProps) {
  const { t } = useTranslation('calls');
  const degrees = (value: number) => value.toLocaleString(currentLocale(), { maximumFractionDigits: 5 });
  return (
    <p>
      {t('result.place', { latitude: degrees(latitude), longitude: degrees(longitude) })}
      {accuracy !== undefined && (
        <span className="text-muted">
          {' '}
          · {t('result.within', { metres: Math.round(accuracy).toLocaleString(currentLocale()) })}
        </span>
      )}
    </p>
  );
}

interface PageProps {
  readonly status: number;
  readonly body: string;
  readonly truncated: boolean;
}

function Page({ status, body, truncated }: PageProps) {
  const { t } = useTranslation('calls');
  const title = useMemo(() => displayText(readTitle(body), MAX_TITLE), [body]);
  return (
    <div className="grid gap-1.5">
      {title !== '' && (
        <p className="font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
      )}
      <p className="text-muted">
        {t(status >= 400 ? 'result.pageFailed' : 'result.page', { status })}
        {truncated && ` · ${t('result.truncated')}`}
      </p>
      {body !== '' && <LongText text={body} />}
    </div>
  );
}
