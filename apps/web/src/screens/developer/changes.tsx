import { type Change, displayText, groupChanges } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../i18n/index.ts';
import { Tag } from '../../parts/level.tsx';

/** Lists the changes by subject, breaking ones first. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const { t } = useTranslation('developer');
  if (changes.length === 0) return <p className="text-sm text-muted">{t('changesNone')}</p>;
  return (
    <div className="grid grid-cols-1 gap-3">
      {groupChanges(changes, currentLocale()).map((group) => (
        <section key={group.title}>
          <h4 className="text-sm font-semibold break-words">{displayText(group.title)}</h4>
          <ul className="mt-1 grid gap-1 text-sm">
            {group.changes.map((change) => (
              <li key={`${change.code} ${change.path}`} className="flex items-baseline gap-2">
                {change.breaking && (
                  <span className="shrink-0 rounded-full bg-high-soft px-2 py-0.5 text-xs font-semibold text-high">
                    {t('breaking')}
                  </span>
                )}
                <span className="min-w-0 wrap-anywhere">
                  {displayText(change.message, 600)} {!change.breaking && <Tag>{change.code}</Tag>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
