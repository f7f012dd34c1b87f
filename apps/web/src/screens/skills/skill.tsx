import { displayText } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { type ReplyOf, skillRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHashTab } from '../../parts/use-hash-tab.ts';
import { Page } from '../../shell/page.tsx';
import { About } from './about.tsx';
import { CodeExamples } from './code-examples.tsx';
import { People } from './people.tsx';
import { RunForm } from './run-form.tsx';
import { Versions } from './versions.tsx';

type Skill = ReplyOf<typeof skillRoutes.readSkill>;

const PARTS = ['about', 'try', 'call', 'versions', 'people'] as const;

export function SkillPage() {
  const { skillId } = useParams({ from: '/framed/skills/$skillId' });
  const { t } = useTranslation('skills');
  const api = useApi();
  const query = useQuery({
    queryKey: ['skill', skillId],
    queryFn: () => api(skillRoutes.readSkill, { params: { skill_id: skillId } }),
  });
  return (
    <Page>
      <Link to="/skills" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" /> {t('back')}
      </Link>
      {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
      {query.data === undefined ? (
        !query.error && <Spinner />
      ) : (
        <Loaded key={skillId} skillId={skillId} skill={query.data} />
      )}
    </Page>
  );
}

function Loaded({ skillId, skill }: { readonly skillId: string; readonly skill: Skill }) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const [version, setVersion] = useState(skill.version);
  const other = useQuery({
    queryKey: ['skill', skillId, version],
    queryFn: () => api(skillRoutes.readSkillVersion, { params: { skill_id: skillId, version } }),
    enabled: version !== skill.version,
  });
  const [part, choose] = useHashTab(PARTS);
  // The server publishes only valid descriptors.
  const descriptor = (version === skill.version ? skill.descriptor : other.data) as SkillDescriptor | undefined;
  const yanked = skill.versions.find((one) => one.version === version)?.yanked ?? false;
  if (other.error) return <Notice tone="error">{explain(other.error)}</Notice>;
  if (descriptor === undefined) return <Spinner />;
  const contents = {
    about: <About descriptor={descriptor} owner={skill.owner} />,
    try: <RunForm key={version} descriptor={descriptor} />,
    call: <CodeExamples descriptor={descriptor} />,
    versions: <Versions skillId={skillId} versions={skill.versions} owned={skill.owned} />,
    people: <People skillId={skillId} />,
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid max-w-2xl min-w-0 gap-2">
          <h1 className="flex flex-wrap items-center gap-3 text-2xl font-semibold tracking-tight">
            <bdi className="min-w-0 break-words">{displayText(descriptor.name)}</bdi>
            <Tag>{t(`types.${descriptor.capability_type}`)}</Tag>
            <Tag>{t(`access.${skill.access}`)}</Tag>
          </h1>
          <p className="break-words text-muted">
            <bdi>{displayText(descriptor.description, 1_000)}</bdi>
          </p>
        </div>
        <Select
          label={t('version')}
          value={version}
          onChange={setVersion}
          options={skill.versions.map((one) => ({
            value: one.version,
            label: one.yanked ? t('versionYanked', { version: one.version }) : one.version,
          }))}
        />
      </header>
      {yanked && <Notice tone="warning">{t('yankedNotice')}</Notice>}
      <Tabs
        label={t('parts')}
        tabs={PARTS.filter((id) => id !== 'people' || skill.owned).map((id) => ({
          id,
          label: t(`inside.${id}`),
          content: contents[id],
        }))}
        chosen={part}
        onChoose={choose}
      />
    </div>
  );
}
