import { displayText } from '@parley/documents';
import { bundleRoutes } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { Blocks } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/card.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PublishedBy } from '../../parts/publisher.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Switch } from '../../parts/switch.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { Risk } from './risk.tsx';

export function Find() {
  const { t } = useTranslation('bundles');
  const [text, setText] = useState('');
  const [tag, setTag] = useState<string>();
  const [isMine, setMine] = useState(false);
  return (
    <div className="grid gap-4">
      <SearchBox label={t('search')} value={text} onChange={setText} />
      <div className="flex flex-wrap items-center gap-4">
        <span className="flex items-center gap-2 text-sm">
          <Switch checked={isMine} onChange={setMine} label={t('mine')} />
          <span aria-hidden>{t('mine')}</span>
        </span>
        {tag !== undefined && (
          <Button size="small" onClick={() => setTag(undefined)}>
            {t('tag')}: <bdi>{displayText(tag, 40)}</bdi> ×
          </Button>
        )}
      </div>
      <Found text={useDeferredValue(text)} tag={tag} isMine={isMine} onTag={setTag} />
    </div>
  );
}

interface FoundProps {
  readonly text: string;
  readonly tag: string | undefined;
  readonly isMine: boolean;
  readonly onTag: (tag: string) => void;
}

function Found({ text, tag, isMine, onTag }: FoundProps) {
  const { t } = useTranslation('bundles');
  const api = useApi();
  const query = usePages(['bundles', text, tag, isMine], (page) =>
    api(bundleRoutes.searchBundles, {
      query: {
        ...(text.trim() === '' ? {} : { q: text }),
        ...(tag === undefined ? {} : { tag }),
        ...(isMine ? { mine: 'true' } : {}),
        ...page,
      },
    }),
  );
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const found = query.data.pages.flatMap((page) => page.bundles);
  if (found.length === 0)
    return (
      <Empty icon={<Blocks aria-hidden className="size-8" />} title={t('none')}>
        {t('noneLead')}
      </Empty>
    );
  return (
    <div className="grid gap-3" aria-busy={query.isFetching}>
      <ul className="grid gap-3 lg:grid-cols-2">
        {found.map((bundle) => (
          <li
            key={bundle.id}
            className="relative grid content-start gap-2 rounded-card border bg-surface px-5 py-4 shadow-card focus-within:border-accent hover:border-accent"
          >
            <div className="flex flex-wrap items-center gap-2">
              <Link
                to="/bundles/$bundleId"
                params={{ bundleId: bundle.id }}
                className="min-w-0 font-semibold break-words after:absolute after:inset-0 after:rounded-card"
              >
                <bdi>{displayText(bundle.name, 100)}</bdi>
              </Link>
              <Risk risk={bundle.risk} />
            </div>
            <bdi className="line-clamp-2 text-sm text-muted">{displayText(bundle.summary, 300)}</bdi>
            <p className="text-sm text-muted">
              {bundle.version}
              {' · '}
              <PublishedBy owner={bundle.owner} />
              {' · '}
              {t('updated', { time: longTime(bundle.updatedAt) })}
            </p>
            {bundle.tags.length > 0 && (
              <ul className="relative z-10 flex flex-wrap gap-1.5" aria-label={t('tag')}>
                {bundle.tags.slice(0, 8).map((one) => (
                  <li key={one}>
                    <button type="button" onClick={() => onTag(one)} className="min-h-6 rounded-full hover:underline">
                      <Tag>{displayText(one, 40)}</Tag>
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <ShowMore query={query} />
    </div>
  );
}
