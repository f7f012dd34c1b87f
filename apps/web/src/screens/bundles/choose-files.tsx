import { displayText } from '@parley/documents';
import type { Bundle } from '@parley/documents/bundle';
import { FilePlus, FolderPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pickFiles, pickFolder } from '../../client/pick-file.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { ChosenFile, ChosenFiles, FilesProblem } from './kit-files.ts';

interface ChooseFilesProps {
  readonly kits: NonNullable<Bundle['kits']>;
  readonly files: ChosenFiles;
  readonly problems: readonly FilesProblem[];
  readonly onChange: (files: ChosenFiles) => void;
}

const MAX_SHOWN = 20;
const KB = 1024;

/** Chooses the files of each kit. They stay in the page until the bundle is published. */
export function ChooseFiles({ kits, files, problems, onChange }: ChooseFilesProps) {
  const { t } = useTranslation('bundles');
  const unknown = [...files.keys()].filter((id) => !kits.some((kit) => kit.id === id));
  const change = (id: string, list: readonly ChosenFile[]) => {
    const next = new Map(files);
    if (list.length === 0) next.delete(id);
    else next.set(id, list);
    onChange(next);
  };
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h2 className="text-lg font-semibold">{t('filesOfKits')}</h2>
        <p className="text-sm text-muted">{t('filesOfKitsLead')}</p>
      </div>
      {problems.length > 0 && <Problems problems={problems} />}
      <ul className="divide-y">
        {[...kits, ...unknown.map((id) => ({ id, label: undefined }))].map(({ id, label }) => (
          <li key={id} className="py-3 first:pt-0 last:pb-0">
            <Kit id={id} label={label} files={files.get(id) ?? []} onChange={(list) => change(id, list)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface KitProps {
  readonly id: string;
  /** The id of a kit in the manifest. */
  readonly label: string | undefined;
  readonly files: readonly ChosenFile[];
  readonly onChange: (files: readonly ChosenFile[]) => void;
}

function Kit({ id, label, files, onChange }: KitProps) {
  const { t } = useTranslation(['bundles', 'parts']);
  /** Adds files; a new file replaces one of the same name. */
  const add = (more: readonly ChosenFile[]) => {
    const names = new Set(more.map(({ path }) => path));
    onChange([...files.filter(({ path }) => !names.has(path)), ...more]);
  };
  const addFiles = async () => add((await pickFiles()).map((file) => ({ path: file.name, file })));
  const addFolder = async () => {
    const chosen = await pickFolder();
    add(chosen.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file })));
  };
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="sr-only">{displayText(label ?? id, 80)}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 break-words">
          {label !== undefined && <bdi className="mr-2 font-medium">{displayText(label, 80)}</bdi>}
          <code className="font-mono text-xs text-muted">{displayText(id, 64)}</code>
          <span className="block text-sm text-muted">
            {files.length === 0 ? t('noFiles') : t('someFiles', { count: files.length, size: formatSize(bytes) })}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          {label !== undefined && (
            <>
              <Button size="small" icon={<FilePlus aria-hidden className="size-4" />} onClick={() => void addFiles()}>
                {t('addFiles')}
              </Button>
              <Button
                size="small"
                icon={<FolderPlus aria-hidden className="size-4" />}
                onClick={() => void addFolder()}
              >
                {t('addFolder')}
              </Button>
            </>
          )}
          {files.length > 0 && (
            <Button size="small" variant="quiet" onClick={() => onChange([])}>
              {t('clearFiles')}
            </Button>
          )}
        </div>
      </div>
      {files.length > 0 && (
        <ul className="grid gap-1 rounded-lg bg-raised px-3 py-2 font-mono text-xs">
          {files.slice(0, MAX_SHOWN).map(({ path, file }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same path, which is one of the problems
            <li key={index} className="flex justify-between gap-4">
              <bdi className="min-w-0 break-all">{displayText(path, 200)}</bdi>
              <span className="shrink-0 text-muted tabular-nums">{formatSize(file.size)}</span>
            </li>
          ))}
          {files.length > MAX_SHOWN && <li>{t('parts:more', { count: files.length - MAX_SHOWN })}</li>}
        </ul>
      )}
    </fieldset>
  );
}

function Problems({ problems }: { readonly problems: readonly FilesProblem[] }) {
  const { t } = useTranslation(['bundles', 'parts']);
  const say = (problem: FilesProblem): string => {
    if (problem.code === 'tooLargeTogether')
      return t('filesProblem.tooLargeTogether', { size: formatSize(problem.size), max: formatSize(problem.max) });
    const kit = displayText(problem.kit, 64);
    if (problem.code === 'unknownKit') return t('filesProblem.unknownKit', { kit });
    if (problem.code === 'tooMany') return t('filesProblem.tooMany', { kit, max: problem.max });
    return t(`filesProblem.${problem.code}`, { kit, path: displayText(problem.path, 120) });
  };
  return (
    <Notice tone="error">
      <ul className="list-disc pl-4">
        {[...new Set(problems.slice(0, MAX_SHOWN).map(say))].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {problems.length > MAX_SHOWN && <li>{t('parts:more', { count: problems.length - MAX_SHOWN })}</li>}
      </ul>
    </Notice>
  );
}

function formatSize(bytes: number): string {
  return bytes < KB ? `${bytes} B` : `${bytes < 10 * KB ? (bytes / KB).toFixed(1) : Math.ceil(bytes / KB)} KB`;
}
