import { displayText } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { webHostOf } from '../../../parts/find-links.ts';
import { TextValue } from '../../../parts/json-view.tsx';

/** Scheme, then all up to the path: the part that decides whom the address belongs to. */
const PARTS = /^(https?:[/\\]*)([^/\\?#]*)(.*)$/is;

/** A web address with its host emphasised. Where that reads differently from what will be asked for, so does a line below. */
export function AddressValue({ value }: { readonly value: string }) {
  const { t } = useTranslation('conversations');
  const [, scheme, authority, rest] = PARTS.exec(value) ?? [];
  const host = webHostOf(value);
  const isPlain = host !== undefined && authority === host;
  return (
    <>
      {isPlain ? (
        <span className="break-all">
          <bdi>
            <span className="text-muted">{scheme}</span>
            <strong className="font-semibold">{authority}</strong>
            {rest !== '' && <TextValue value={rest!} />}
          </bdi>
        </span>
      ) : (
        <TextValue value={value} />
      )}
      {!isPlain && host !== undefined && (
        <p className="text-medium">
          {t('prompt.host')} <strong className="font-semibold break-all">{displayText(host, 300)}</strong>
        </p>
      )}
    </>
  );
}
