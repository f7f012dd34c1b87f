import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFork } from '../client/use-fork.ts';

/** It is shown above every page as long as this account's device list is forked. */
export function ForkBar() {
  const { t } = useTranslation('shell');
  const { isForked } = useFork();
  if (!isForked) return null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 bg-high-soft px-4 py-2 text-sm text-high">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{t('forked')}</p>
      <Link to="/settings" className="font-semibold underline">
        {t('settle')}
      </Link>
    </div>
  );
}
