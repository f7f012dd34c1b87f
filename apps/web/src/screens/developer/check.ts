import { type Manifest, parseManifest, toMessage, validateManifest } from '@parley/documents';
import { currentLocale } from '../../i18n/index.ts';
import type { EditorFinding } from '../../parts/json-editor.tsx';

interface Checked {
  readonly findings: readonly EditorFinding[];
  /** Set only if it is valid. */
  readonly manifest?: Manifest;
}

/** Validates a text by the rules of the server. */
export function checkText(text: string): Checked {
  const locale = currentLocale();
  const parsed = parseManifest(text);
  if (!parsed.ok) return { findings: parsed.findings.map((finding) => locate(toMessage(finding, locale))) };
  const { findings, manifest } = validateManifest(parsed.value, { locale });
  return { findings: findings.map(locate), ...(manifest === undefined ? {} : { manifest }) };
}

function locate({ severity, path, message, params }: ReturnType<typeof toMessage>): EditorFinding {
  const { line, column } = params;
  const at = typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
  return { severity, path, message, ...at };
}

export const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
