import type { Diagnostic } from '@codemirror/lint';
import { locatePointers } from '@parley/documents';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEditor } from './code-editor.tsx';
import { findLocation } from './json-location.ts';
import { completeFromSchema, type SchemaHint } from './schema-completion.ts';

export interface EditorFinding {
  readonly severity: 'error' | 'warning';
  /** A JSON Pointer. */
  readonly path: string;
  readonly message: string;
  /** The position, from 1, if the text is not JSON and a pointer has no meaning. */
  readonly line?: number;
  readonly column?: number;
}

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly check: (text: string) => readonly EditorFinding[];
  readonly schema: SchemaHint;
}

const MAX_SHOWN = 50;

/** Edits a JSON document with completion, and shows findings in the text and as a list that links to them. */
export function JsonEditor({ label, value, onChange, check, schema }: JsonEditorProps) {
  const { t } = useTranslation('parts');
  const complete = useMemo(() => completeFromSchema(schema), [schema]);
  const findings = useMemo(() => locate(value, check(value)), [value, check]);
  const [goTo, setGoTo] = useState<{ at: number }>();
  return (
    <div className="grid gap-2">
      <CodeEditor
        label={label}
        value={value}
        onChange={onChange}
        diagnose={(text) => locate(text, check(text))}
        complete={complete}
        goTo={goTo}
      />
      <p role="status" className="text-sm text-muted">
        {findings.length > 0 ? t('findings', { count: findings.length }) : value.trim() !== '' && t('findingsNone')}
      </p>
      {findings.length > 0 && (
        <ul className="max-h-56 divide-y overflow-y-auto rounded-lg border bg-surface" aria-label={label}>
          {findings.slice(0, MAX_SHOWN).map((finding) => (
            <li key={`${finding.from} ${finding.message}`}>
              <button
                type="button"
                onClick={() => setGoTo({ at: finding.from })}
                className="flex w-full items-start gap-2 px-3 py-2 text-left text-sm hover:bg-raised"
              >
                {finding.severity === 'error' ? (
                  <CircleAlert aria-label={t('error')} className="mt-0.5 size-4 shrink-0 text-high" />
                ) : (
                  <TriangleAlert aria-label={t('warning')} className="mt-0.5 size-4 shrink-0 text-medium" />
                )}
                <span className="min-w-0 flex-1 break-words">{finding.message}</span>
                <span className="shrink-0 text-muted tabular-nums">
                  {t('line', { line: lineAt(value, finding.from) })}
                </span>
              </button>
            </li>
          ))}
          {findings.length > MAX_SHOWN && (
            <li className="px-3 py-2 text-sm text-muted">{t('more', { count: findings.length - MAX_SHOWN })}</li>
          )}
        </ul>
      )}
    </div>
  );
}

function locate(text: string, findings: readonly EditorFinding[]): Diagnostic[] {
  if (findings.length === 0) return [];
  const located = locatePointers(
    text,
    findings.map(({ path }) => path),
  );
  return findings.map((finding) => {
    const { severity, message, path, line, column } = finding;
    if (line === undefined || column === undefined) return { severity, message, ...findLocation(text, path, located) };
    const from = Math.min(offsetOf(text, line, column), text.length);
    return { severity, message, from, to: Math.min(from + 1, text.length) };
  });
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let left = line - 1; left > 0; left--) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
