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
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { currentLocale } from '../../i18n/index.ts';
import { DocumentEditor } from '../../parts/document-editor.tsx';
import type { EditorFinding } from '../../parts/json-editor.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PublishButton } from '../../parts/publish-button.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { EXAMPLE } from './example.ts';
import { useNamespaces } from './namespaces.tsx';

const MAX_BYTES = 512 * 1024;
/** Follows the server: if this page was loaded without TLS, local skills need no TLS either. */
const DEVELOPMENT = location.protocol === 'http:';

/** Edits a descriptor and shows its findings while the person writes (SD-5). */
export function Publish() {
  const { t } = useTranslation('skills');
  const namespaces = useNamespaces().data?.namespaces.map(({ namespace }) => namespace);
  const draft = useDocumentDraft('skill/new', '');
  const { text } = draft;
  const descriptor = useMemo(() => read(text).descriptor, [text]);
  const example = () => ({ ...EXAMPLE, id: `${namespaces?.[0] ?? 'com.example'}.translate` });
  const isOutside =
    descriptor !== undefined &&
    namespaces !== undefined &&
    !namespaces.some((namespace) => descriptor.id.startsWith(`${namespace}.`));
  return (
    <div className="grid grid-cols-1 gap-4">
      <Unsaved draft={draft} />
      <DocumentEditor
        lead={t('publishLead')}
        label={t('editor')}
        text={text}
        onChange={draft.change}
        example={example}
        maxBytes={MAX_BYTES}
        check={findingsOf}
        schema={DESCRIPTOR_SCHEMA}
      />
      {isOutside && (
        <Notice tone="warning">
          {namespaces.length === 0 ? t('needNamespace') : t('outsideNamespace', { names: namespaces.join(', ') })}
        </Notice>
      )}
      <Send descriptor={isOutside ? undefined : descriptor} onPublished={() => draft.settle(text)} />
    </div>
  );
}

interface SendProps {
  readonly descriptor: ReturnType<typeof read>['descriptor'];
  readonly onPublished: () => void;
}

function Send({ descriptor, onPublished }: SendProps) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const queries = useQueryClient();
  const [done, setDone] = useState<{ id: string; version: string }>();
  const publish = async () => {
    setDone(await api(skillRoutes.publishSkill, { body: descriptor }));
    onPublished();
    for (const name of ['skills', 'skill', 'skill-tags']) await queries.invalidateQueries({ queryKey: [name] });
  };
  const question = descriptor && {
    title: t('publishTitle', { name: displayText(descriptor.name, 80), version: descriptor.version }),
    lead: t('publishWarn'),
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
      <PublishButton label={t('publish')} question={question} work={publish} />
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
