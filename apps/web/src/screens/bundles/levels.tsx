import { displayText } from '@parley/documents';
import type { BundleValidation, LevelResult } from '@parley/documents/bundle';
import { ChevronRight, CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useTranslation } from 'react-i18next';

const MAX_SHOWN = 100;

/** Shows the six levels of validation as a checklist (BV-1 to BV-6). */
export function Levels({ validation }: { readonly validation: BundleValidation }) {
  const { t } = useTranslation('bundles');
  const { passedLevels: passed, totalLevels: total, results } = validation;
  return (
    <div className="grid gap-3">
      <p className="text-sm font-medium" role="status">
        {t('levelsLead', { passed, total })}
      </p>
      <ol className="divide-y overflow-hidden rounded-card border bg-surface">
        {results.map((result) => (
          <li key={result.level}>
            <Level result={result} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Level({ result }: { readonly result: LevelResult }) {
  const { t } = useTranslation(['bundles', 'parts']);
  const { level, name, passed, errors, warnings } = result;
  const Icon = passed ? CircleCheck : CircleAlert;
  const findings = [...errors, ...warnings];
  return (
    <Collapsible.Root defaultOpen={!passed}>
      <Collapsible.Trigger className="group flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-left hover:bg-raised">
        <Icon aria-hidden className={`size-5 shrink-0 ${passed ? 'text-low' : 'text-high'}`} />
        <span className="font-mono text-sm text-muted">{level}</span>
        <span className="font-medium">{name}</span>
        <span className={`text-sm ${passed ? 'text-low' : 'text-high'}`}>
          {t(passed ? 'levelPassed' : 'levelFailed')}
        </span>
        <span className="ml-auto flex gap-3 text-sm text-muted">
          {errors.length > 0 && <span className="text-high">{t('levelErrors', { count: errors.length })}</span>}
          {warnings.length > 0 && <span className="text-medium">{t('levelWarnings', { count: warnings.length })}</span>}
          <ChevronRight aria-hidden className="size-4 self-center transition group-data-[state=open]:rotate-90" />
        </span>
      </Collapsible.Trigger>
      <Collapsible.Content>
        <ul className="grid gap-2 border-t bg-page px-4 py-3 text-sm">
          {findings.length === 0 && <li className="text-muted">{t('levelClean')}</li>}
          {findings.slice(0, MAX_SHOWN).map((finding) => (
            <li key={`${finding.code} ${finding.path} ${finding.message}`} className="flex items-start gap-2">
              {finding.severity === 'error' ? (
                <CircleAlert aria-label={t('parts:error')} className="mt-0.5 size-4 shrink-0 text-high" />
              ) : (
                <TriangleAlert aria-label={t('parts:warning')} className="mt-0.5 size-4 shrink-0 text-medium" />
              )}
              <span className="min-w-0 break-words">
                {displayText(finding.message, 600)}{' '}
                <code className="font-mono text-xs break-all text-muted">
                  {finding.path === '' ? t('whole') : displayText(finding.path, 200)}
                </code>
              </span>
            </li>
          ))}
          {findings.length > MAX_SHOWN && (
            <li className="text-muted">{t('parts:more', { count: findings.length - MAX_SHOWN })}</li>
          )}
        </ul>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
