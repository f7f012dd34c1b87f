import { diffManifests, displayText, type Manifest, type ManifestDiff } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../i18n/index.ts';
import { Notice } from '../../parts/notice.tsx';
import { Changes } from './changes.tsx';

/** Undefined means that there is nothing to compare. */
export function judge(live: Manifest | null, draft: Manifest | undefined): ManifestDiff | undefined {
  return live === null || draft === undefined ? undefined : diffManifests(live, draft, { locale: currentLocale() });
}

interface PushImpactProps {
  readonly isValid: boolean;
  readonly diff: ManifestDiff | undefined;
}

/** Shows what pushing would mean to people. The server decides again by the same rules (DF-19). */
export function PushImpact({ isValid, diff }: PushImpactProps) {
  const { t } = useTranslation('developer');
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="verdict">
      <h2 id="verdict" className="text-lg font-semibold">
        {t('verdict')}
      </h2>
      {!isValid && <Notice tone="warning">{t('verdictInvalid')}</Notice>}
      {isValid && diff === undefined && <Notice>{t('verdictFirst')}</Notice>}
      {diff !== undefined && <Impact diff={diff} />}
    </section>
  );
}

function Impact({
  diff: { changes, breaking, oldHash, newHash, scopesRequiringReauth },
}: {
  readonly diff: ManifestDiff;
}) {
  const { t } = useTranslation('developer');
  if (oldHash === newHash) return <Notice>{t('verdictSame')}</Notice>;
  if (changes.length === 0) return <Notice>{t('verdictOrder')}</Notice>;
  const count = changes.filter((change) => change.breaking).length;
  return (
    <>
      {breaking ? (
        <Notice tone="error" title={t('verdictBreaking', { count })}>
          {scopesRequiringReauth.length > 0 &&
            t('verdictBreakingLead', { scopes: scopesRequiringReauth.map((scope) => displayText(scope)).join(', ') })}
        </Notice>
      ) : (
        <Notice tone="success" title={t('verdictSilent', { count: changes.length })} />
      )}
      <Changes changes={changes} />
    </>
  );
}
