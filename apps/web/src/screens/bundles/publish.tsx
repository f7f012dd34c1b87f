import { displayText, type Json } from '@parley/documents';
import { readBundle } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../client/use-api.ts';
import { Notice } from '../../parts/notice.tsx';
import { PublishButton } from '../../parts/publish-button.tsx';
import { ChooseFiles } from './choose-files.tsx';
import { type ChosenFiles, checkFiles, readKits } from './kit-files.ts';

interface PublishProps {
  readonly manifest: Json;
  readonly files: ChosenFiles;
  readonly onFiles: (files: ChosenFiles) => void;
  readonly onPublished: () => void;
}

export function Publish({ manifest, files, onFiles, onPublished }: PublishProps) {
  const { t } = useTranslation('bundles');
  const api = useApi();
  const queries = useQueryClient();
  const bundle = useMemo(() => readBundle(manifest).bundle, [manifest]);
  const size = useMemo(() => new TextEncoder().encode(JSON.stringify(manifest)).length, [manifest]);
  const [done, setDone] = useState<{ id: string; version: string }>();
  const name = displayText(bundle?.name ?? '', 80);
  const kits = bundle?.kits ?? [];
  const problems = checkFiles(files, { kits: kits.map(({ id }) => id), manifest: size });
  const publish = async () => {
    const sent = files.size === 0 ? {} : { kits: await readKits(files) };
    setDone(await api(bundleRoutes.publishBundle, { body: { manifest, ...sent } }));
    onPublished();
    await queries.invalidateQueries({ queryKey: ['bundles'] });
    await queries.invalidateQueries({ queryKey: ['bundle'] });
  };
  const count = [...files.values()].reduce((sum, list) => sum + list.length, 0);
  const question = bundle !== undefined &&
    problems.length === 0 && {
      title: t('publishTitle', { name, version: displayText(bundle.version, 40) }),
      lead: t('publishLead'),
      more: count > 0 && <p className="text-sm">{t('publishFiles', { count })}</p>,
    };
  return (
    <div className="grid grid-cols-1 gap-4">
      {bundle !== undefined && (kits.length > 0 || files.size > 0) && (
        <ChooseFiles kits={kits} files={files} problems={problems} onChange={onFiles} />
      )}
      {done !== undefined && (
        <Notice tone="success" title={t('published', { name, version: done.version })}>
          <Link to="/bundles/$bundleId" params={{ bundleId: done.id }} className="underline">
            {t('publishedOpen')}
          </Link>
        </Notice>
      )}
      <PublishButton label={t('publish')} question={question || undefined} work={publish} />
    </div>
  );
}
