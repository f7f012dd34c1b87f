import { FolderOpen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pickFile } from '../client/pick-file.ts';
import { Button } from './button.tsx';
import { type EditorFinding, JsonEditor } from './json-editor.tsx';
import { Notice } from './notice.tsx';
import type { SchemaHint } from './schema-completion.ts';

interface DocumentEditorProps {
  readonly lead: string;
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Returns a small valid document to start from. */
  readonly example: () => object;
  readonly maxBytes: number;
  readonly check: (text: string) => readonly EditorFinding[];
  readonly schema: SchemaHint;
  /** More buttons to start with. */
  readonly actions?: ReactNode;
}

/** Edits a JSON document that is opened from a file, started from an example, or written here. It never leaves the page. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { lead, label, text, onChange, example, maxBytes, check, schema, actions } = props;
  const { t } = useTranslation('parts');
  const [isTooLarge, setTooLarge] = useState(false);
  const open = async () => {
    const file = await pickFile();
    if (file === undefined) return;
    setTooLarge(file.size > maxBytes);
    if (file.size <= maxBytes) onChange(await file.text());
  };
  return (
    <section className="grid grid-cols-1 gap-3">
      <p className="text-sm text-muted">{lead}</p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<FolderOpen aria-hidden className="size-4" />} onClick={() => void open()}>
          {t('openFile')}
        </Button>
        {actions}
        {text === '' && (
          <Button onClick={() => onChange(`${JSON.stringify(example(), null, 2)}\n`)}>{t('startExample')}</Button>
        )}
      </div>
      {isTooLarge && <Notice tone="error">{t('fileTooLarge')}</Notice>}
      <JsonEditor label={label} value={text} onChange={onChange} check={check} schema={schema} />
    </section>
  );
}
