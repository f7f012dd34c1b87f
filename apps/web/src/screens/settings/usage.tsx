import { authRoutes, BUDGETS, type ReplyOf } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { formatAmount } from '../../i18n/amount.ts';
import { currentLocale } from '../../i18n/index.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Spinner } from '../../parts/spinner.tsx';

type Budget = ReplyOf<typeof authRoutes.readUsage>['budgets'][number];

const REFRESH_MS = 10_000;
/** From here on, people are told what happens at the limit. */
const NEARLY_FULL = 0.9;

/** What the account may use, with all its agents together (OP-1). */
export function Usage() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: () => api.call(authRoutes.readUsage),
    refetchInterval: REFRESH_MS,
  });
  // A newer server may have budgets that this page does not know.
  const budgets = usage.data?.budgets.filter(({ name }) => Object.hasOwn(BUDGETS, name));
  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="font-semibold">{t('usage.title')}</h2>
        <p className="text-sm text-muted">{t('usage.lead')}</p>
      </div>
      {usage.error !== null && <Notice tone="error">{explain(usage.error)}</Notice>}
      {usage.isPending && <Spinner />}
      <ul className="grid gap-4 sm:grid-cols-2">
        {budgets?.map((budget) => (
          <BudgetRow key={budget.name} budget={budget} />
        ))}
      </ul>
    </Card>
  );
}

function BudgetRow({ budget: { name, unit, used, limit } }: { readonly budget: Budget }) {
  const { t } = useTranslation('settings');
  const { text, refused } = BUDGETS[name];
  const label = text[currentLocale()];
  const amount = (value: number) => formatAmount(value, unit);
  const share = limit === null || limit === 0 ? Number(used > 0) : Math.min(1, used / limit);
  return (
    <li className="grid content-start gap-1.5">
      <p className="text-sm font-medium">{label}</p>
      {limit !== null && <ProgressBar label={label} value={share} />}
      <p className="text-sm text-muted">
        {limit === null ? amount(used) : t('usage.line', { used: amount(used), limit: amount(limit) })}
      </p>
      {limit !== null && share >= NEARLY_FULL && (
        <p className="text-sm text-medium">{t('usage.nearlyFull', { what: refused[currentLocale()] })}</p>
      )}
    </li>
  );
}
