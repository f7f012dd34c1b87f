import { displayText } from '@parley/documents';
import { authRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeBrowser } from '../../client/describe-browser.ts';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { longTime } from '../../i18n/time.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';

const nameOf = (detail: string) => (/^Mozilla\//.test(detail) ? describeBrowser(detail) : displayText(detail, 60));

/** What happened to the ways into the account, so that people notice what they did not do. */
export function SecurityNotices() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const list = useQuery({ queryKey: ['notices'], queryFn: () => api.call(authRoutes.listNotices) });
  const notices = list.data?.notices ?? [];
  return (
    <Card flush>
      <div className="border-b px-5 py-4">
        <h2 className="font-semibold">{t('notices.title')}</h2>
        <p className="text-sm text-muted">{t('notices.lead')}</p>
      </div>
      {list.error !== null && (
        <div className="p-5">
          <Notice tone="error">{explain(list.error)}</Notice>
        </div>
      )}
      {list.isSuccess && notices.length === 0 && <p className="px-5 py-4 text-sm text-muted">{t('notices.none')}</p>}
      <ul className="divide-y">
        {notices.map(({ notice_id, kind, detail, created_at }) => (
          <li key={notice_id} className="px-5 py-3">
            <p>{t(`notices.${kind}`)}</p>
            <p className="text-sm text-muted">
              {longTime(created_at)}
              {detail !== '' && (
                <>
                  {' · '}
                  <bdi>{nameOf(detail)}</bdi>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
