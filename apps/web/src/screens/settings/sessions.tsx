import { displayText } from '@parley/documents';
import { authRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeBrowser } from '../../client/describe-browser.ts';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { useAction } from '../../parts/use-action.ts';
import { usePages } from '../../parts/use-pages.ts';

const KEY = ['sessions'];

/** Browsers send a long description of themselves; programs send only their name. */
const nameOf = (client: string) => (/^Mozilla\//.test(client) ? describeBrowser(client) : displayText(client, 60));

export function Sessions() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const queries = useQueryClient();
  const list = usePages(KEY, (page) => api.call(authRoutes.listSessions, { query: page }));
  const sessions = list.data?.pages.flatMap((page) => page.sessions);
  const end = useAction(async (id: string) => {
    await api.call(authRoutes.revokeSession, { params: { session_id: id } });
    await queries.invalidateQueries({ queryKey: KEY });
  });
  return (
    <Card flush>
      <h2 className="border-b px-5 py-4 font-semibold">{t('sessions.title')}</h2>
      {(end.error ?? list.error ?? undefined) !== undefined && (
        <div className="p-5">
          <Notice tone="error">{explain(end.error ?? list.error)}</Notice>
        </div>
      )}
      <ul className="divide-y">
        {sessions?.map((session) => (
          <li key={session.session_id} className="flex items-center gap-3 px-5 py-3">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="truncate">{nameOf(session.client ?? session.session_id)}</bdi>
                {session.current && <Tag>{t('sessions.current')}</Tag>}
              </p>
              <p className="text-sm text-muted">{t('sessions.seen', { time: longTime(session.created_at) })}</p>
            </div>
            {!session.current && (
              <Button size="small" variant="danger" busy={end.busy} onClick={() => end.run(session.session_id)}>
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-t px-5 py-3">
          <ShowMore query={list} />
        </div>
      )}
    </Card>
  );
}
