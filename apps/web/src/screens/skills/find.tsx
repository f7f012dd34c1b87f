import { displayText } from '@parley/documents';
import { type QueryOf, skillRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Empty } from '../../parts/card.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PublishedBy } from '../../parts/publisher.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { Select } from '../../parts/select.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Switch } from '../../parts/switch.tsx';
import { usePages } from '../../parts/use-pages.ts';

type Wanted = QueryOf<typeof skillRoutes.searchSkills>;

const TYPES = ['plugin', 'api', 'knowledge', 'task'] as const;

export function Find() {
  const { t } = useTranslation('skills');
  const api = useApi();
  const [text, setText] = useState('');
  const [type, setType] = useState('');
  const [tag, setTag] = useState('');
  const [provider, setProvider] = useState('');
  const [isMine, setMine] = useState(false);
  const tags = useQuery({ queryKey: ['skill-tags'], queryFn: () => api(skillRoutes.listSkillTags) });
  const q = useDeferredValue(text).trim();
  const by = useDeferredValue(provider).trim();
  const wanted: Wanted = {
    ...(q === '' ? {} : { q }),
    ...(type === '' ? {} : { type: type as (typeof TYPES)[number] }),
    ...(tag === '' ? {} : { tag }),
    ...(by === '' ? {} : { provider: by }),
    ...(isMine ? { mine: 'true' } : {}),
  };
  return (
    <div className="grid gap-4">
      <SearchBox label={t('search')} value={text} onChange={setText} />
      <div className="grid items-end gap-3 sm:grid-cols-4">
        <Select
          label={t('type')}
          value={type}
          onChange={setType}
          options={[
            { value: '', label: t('anyType') },
            ...TYPES.map((value) => ({ value, label: t(`types.${value}`) })),
          ]}
        />
        <Select
          label={t('tag')}
          value={tag}
          onChange={setTag}
          options={[
            { value: '', label: t('anyTag') },
            ...(tags.data?.tags ?? []).map((one) => ({
              value: one.tag,
              label: `${displayText(one.tag, 40)} (${one.skills})`,
            })),
          ]}
        />
        <label className="grid gap-1.5 text-sm font-medium">
          {t('provider')}
          <input
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
            placeholder={t('anyProvider')}
            maxLength={200}
            className="min-h-10 w-full rounded-lg border bg-surface px-3 text-base font-normal placeholder:text-muted pointer-coarse:min-h-11"
          />
        </label>
        <span className="flex min-h-10 items-center gap-2 text-sm">
          <Switch checked={isMine} onChange={setMine} label={t('mine')} />
          <span aria-hidden>{t('mine')}</span>
        </span>
      </div>
      <Found wanted={wanted} />
    </div>
  );
}

function Found({ wanted }: { readonly wanted: Wanted }) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const query = usePages(['skills', wanted], (page) =>
    api(skillRoutes.searchSkills, { query: { ...wanted, ...page } }),
  );
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const found = query.data.pages.flatMap((page) => page.skills);
  if (found.length === 0)
    return (
      <Empty icon={<Wrench aria-hidden className="size-8" />} title={t('none')}>
        {t('noneLead')}
      </Empty>
    );
  return (
    <div className="grid gap-3" aria-busy={query.isFetching}>
      <p role="status" className="text-sm text-muted">
        {t('found', { count: query.data.pages[0]!.total })}
      </p>
      <ul className="grid gap-3 lg:grid-cols-2">
        {found.map((skill) => (
          <li key={skill.id}>
            <Link
              to="/skills/$skillId"
              params={{ skillId: skill.id }}
              className="grid h-full content-start gap-2 rounded-card border bg-surface px-5 py-4 shadow-card hover:border-accent"
            >
              <span className="flex flex-wrap items-center gap-2">
                <bdi className="min-w-0 font-semibold break-words">{displayText(skill.name, 100)}</bdi>
                <Tag>{t(`types.${skill.capability_type}`)}</Tag>
                {skill.access !== 'public' && <Tag>{t(`access.${skill.access}`)}</Tag>}
              </span>
              <bdi className="line-clamp-2 text-sm text-muted">{displayText(skill.description, 300)}</bdi>
              <span className="text-sm break-words text-muted">
                <PublishedBy owner={skill.owner} /> · {skill.version}
              </span>
              <code className="font-mono text-xs break-all text-muted">{skill.id}</code>
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore query={query} />
    </div>
  );
}
