import { type Json, toMessage } from '@parley/documents';
import { BUNDLE_SCHEMA, parseBundle, readBundle } from '@parley/documents/bundle';
import { FolderTree } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pickFolder } from '../../client/pick-file.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { currentLocale } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { DocumentEditor } from '../../parts/document-editor.tsx';
import type { EditorFinding } from '../../parts/json-editor.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { EXAMPLE } from './example.ts';
import { Inspection } from './inspection.tsx';
import { type ChosenFiles, sortFolder } from './kit-files.ts';
import { Publish } from './publish.tsx';

const MAX_BYTES = 1024 * 1024;
const NO_FILES: ChosenFiles = new Map();

/** Checks and previews a manifest that is not published. */
export function CheckManifest() {
  const { t } = useTranslation(['bundles', 'parts']);
  const draft = useDocumentDraft('bundle/new', '');
  const { text } = draft;
  const [files, setFiles] = useState(NO_FILES);
  const [problem, setProblem] = useState<string>();
  const parsed = useMemo(() => (text.trim() === '' ? undefined : parseBundle(text)), [text]);
  const openFolder = async () => {
    const chosen = await pickFolder();
    if (chosen.length === 0) return;
    const { manifest, kits } = sortFolder(chosen);
    if (manifest === undefined) return setProblem(t('folderNoManifest'));
    if (manifest.size > MAX_BYTES) return setProblem(t('parts:fileTooLarge'));
    setProblem(undefined);
    draft.change(await manifest.text());
    setFiles(kits);
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <Unsaved draft={draft} />
      <DocumentEditor
        lead={t('checkLead')}
        label={t('editor')}
        text={text}
        onChange={draft.change}
        example={() => EXAMPLE}
        maxBytes={MAX_BYTES}
        check={findingsOf}
        schema={BUNDLE_SCHEMA}
        actions={
          <Button icon={<FolderTree aria-hidden className="size-4" />} onClick={() => void openFolder()}>
            {t('openFolder')}
          </Button>
        }
      />
      {parsed?.ok && (
        <>
          <Publish
            manifest={parsed.value as Json}
            files={files}
            onFiles={setFiles}
            onPublished={() => draft.settle(text)}
          />
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
