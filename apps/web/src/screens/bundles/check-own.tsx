import { displayText, type Json, toMessage } from '@parley/documents';
import { BUNDLE_SCHEMA, parseBundle, readBundle } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderOpen, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pickFile } from '../../client/pick-file.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale } from '../../i18n/index.ts';
import { AskFirst } from '../../parts/ask-first.tsx';
import { Button } from '../../parts/button.tsx';
import { type EditorFinding, JsonEditor } from '../../parts/json-editor.tsx';
import { Notice } from '../../parts/notice.tsx';
import { EXAMPLE } from './example.ts';
import { Inspection } from './inspection.tsx';

const MAX_BYTES = 1024 * 1024;

/** A manifest that need not be published to be looked at. */
export function CheckOwn() {
  const { t } = useTranslation('bundles');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const parsed = useMemo(() => (text.trim() === '' ? undefined : parseBundle(text)), [text]);
  const open = async () => {
    const file = await pickFile();
    if (file === undefined) return;
    setProblem(file.size > MAX_BYTES ? t('tooLarge') : undefined);
    if (file.size <= MAX_BYTES) setText(await file.text());
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      <section className="grid grid-cols-1 gap-3">
        <p className="text-sm text-muted">{t('checkLead')}</p>
        <div className="flex flex-wrap gap-2">
          <Button icon={<FolderOpen aria-hidden className="size-4" />} onClick={() => void open()}>
            {t('open')}
          </Button>
          {text === '' && (
            <Button onClick={() => setText(`${JSON.stringify(EXAMPLE, null, 2)}\n`)}>{t('example')}</Button>
          )}
        </div>
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
        <JsonEditor label={t('editor')} value={text} onChange={setText} check={findingsOf} schema={BUNDLE_SCHEMA} />
      </section>
      {parsed?.ok && (
        <>
          <Publish manifest={parsed.value} />
          <Inspection manifest={parsed.value} first="levels" />
        </>
      )}
    </div>
  );
}

function findingsOf(text: string): EditorFinding[] {
  if (text.trim() === '') return [];
  const locale = currentLocale();
  const parsed = parseBundle(text);
  if (parsed.ok) {
    const { errors, warnings } = readBundle(parsed.value, { locale }).validation;
    return [...errors, ...warnings];
  }
  return parsed.findings.map((finding) => {
    const { severity, path, message, params } = toMessage(finding, locale);
    const { line, column } = params;
    return typeof line === 'number' && typeof column === 'number'
      ? { severity, path, message, line, column }
      : { severity, path, message };
  });
}

function Publish({ manifest }: { readonly manifest: Json }) {
  const { t } = useTranslation('bundles');
  const api = useApi();
  const queries = useQueryClient();
  const bundle = useMemo(() => readBundle(manifest).bundle, [manifest]);
  const [asking, ask] = useState(false);
  const [done, setDone] = useState<{ id: string; version: string }>();
  const name = displayText(bundle?.name ?? '', 80);
  const publish = async () => {
    setDone(await api(bundleRoutes.publishBundle, { body: { manifest } }));
    await queries.invalidateQueries({ queryKey: ['bundles'] });
    await queries.invalidateQueries({ queryKey: ['bundle'] });
  };
  return (
    <div className="grid gap-3">
      {done !== undefined && (
        <Notice tone="success" title={t('published', { name, version: done.version })}>
          <Link to="/bundles/$bundleId" params={{ bundleId: done.id }} className="underline">
            {t('publishedOpen')}
          </Link>
        </Notice>
      )}
      <div>
        <Button
          look="primary"
          icon={<Upload aria-hidden className="size-4" />}
          disabled={bundle === undefined}
          onClick={() => ask(true)}
        >
          {t('publish')}
        </Button>
      </div>
      {asking && bundle !== undefined && (
        <AskFirst
          title={t('publishTitle', { name, version: displayText(bundle.version, 40) })}
          lead={t('publishLead')}
          confirm={t('publish')}
          onClose={() => ask(false)}
          work={publish}
        />
      )}
    </div>
  );
}
