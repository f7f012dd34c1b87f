import { displayText } from '@parley/documents';
import {
  DESCRIPTOR_SCHEMA,
  type DescriptorValidation,
  parseDescriptor,
  type Violation,
  validateDescriptor,
} from '@parley/documents/skill';
import { skillRoutes } from '@parley/protocol';
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
import { useNamespaces } from './namespaces.tsx';

const MAX_BYTES = 512 * 1024;
/** As the server does it: where this page itself came without TLS, so may skills of this machine. */
const DEVELOPMENT = location.protocol === 'http:';

/** A descriptor, with what is wrong while it is written (SD-5). */
export function Publish() {
  const { t } = useTranslation('skills');
  const namespaces = useNamespaces().data?.namespaces.map(({ namespace }) => namespace);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const descriptor = useMemo(() => read(text).descriptor, [text]);
  const open = async () => {
    const file = await pickFile();
    if (file === undefined) return;
    setProblem(file.size > MAX_BYTES ? t('tooLarge') : undefined);
    if (file.size <= MAX_BYTES) setText(await file.text());
  };
  const example = () => {
    const id = `${namespaces?.[0] ?? 'com.example'}.translate`;
    setText(`${JSON.stringify({ ...EXAMPLE, id }, null, 2)}\n`);
  };
  const isOutside =
    descriptor !== undefined &&
    namespaces !== undefined &&
    !namespaces.some((namespace) => descriptor.id.startsWith(`${namespace}.`));
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-sm text-muted">{t('publishLead')}</p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<FolderOpen aria-hidden className="size-4" />} onClick={() => void open()}>
          {t('open')}
        </Button>
        {text === '' && <Button onClick={example}>{t('example')}</Button>}
      </div>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <JsonEditor label={t('editor')} value={text} onChange={setText} check={findingsOf} schema={DESCRIPTOR_SCHEMA} />
      {isOutside && (
        <Notice tone="warning">
          {namespaces.length === 0 ? t('needNamespace') : t('outsideNamespace', { names: namespaces.join(', ') })}
        </Notice>
      )}
      <Send descriptor={isOutside ? undefined : descriptor} />
    </div>
  );
}

function Send({ descriptor }: { readonly descriptor: ReturnType<typeof read>['descriptor'] }) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const queries = useQueryClient();
  const [asking, ask] = useState(false);
  const [done, setDone] = useState<{ id: string; version: string }>();
  const publish = async () => {
    setDone(await api(skillRoutes.publishSkill, { body: descriptor }));
    for (const name of ['skills', 'skill', 'skill-tags']) await queries.invalidateQueries({ queryKey: [name] });
  };
  return (
    <>
      {done !== undefined && (
        <Notice tone="success" title={t('publishDone', done)}>
          <Link to="/skills/$skillId" params={{ skillId: done.id }} className="underline">
            {t('publishOpen')}
          </Link>
        </Notice>
      )}
      <div>
        <Button
          look="primary"
          icon={<Upload aria-hidden className="size-4" />}
          disabled={descriptor === undefined}
          onClick={() => ask(true)}
        >
          {t('publish')}
        </Button>
      </div>
      {asking && descriptor !== undefined && (
        <AskFirst
          title={t('publishTitle', { name: displayText(descriptor.name, 80), version: descriptor.version })}
          lead={t('publishWarn')}
          confirm={t('publish')}
          onClose={() => ask(false)}
          work={publish}
        />
      )}
    </>
  );
}

function read(text: string): Omit<DescriptorValidation, 'valid'> {
  const locale = currentLocale();
  if (text.trim() === '') return { violations: [], warnings: [] };
  const parsed = parseDescriptor(text, { locale });
  if (!parsed.ok) return { violations: parsed.violations, warnings: [] };
  return validateDescriptor(parsed.value, { development: DEVELOPMENT, locale });
}

function findingsOf(text: string): EditorFinding[] {
  const { violations, warnings } = read(text);
  return [...violations.map((one) => toFinding(one, 'error')), ...warnings.map((one) => toFinding(one, 'warning'))];
}

function toFinding({ field, message, params }: Violation, severity: EditorFinding['severity']): EditorFinding {
  const { line, column } = params;
  const at = typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
  return { severity, path: field, message, ...at };
}
