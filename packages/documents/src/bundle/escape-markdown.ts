import { displayText } from '../display-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes untrusted text for use inside a line of Markdown (BA-1): it is on one line, with nothing hidden, and
 * characters that a renderer could read as markup, HTML or a link are escaped. It must not stand at the start of a
 * line.
 */
export function escapeMarkdown(text: string, max?: number): string {
  return displayText(text, max)
    .replaceAll(/[\\`*_{}[\]()#+!|~=^$@]/g, '\\$&')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replaceAll('://', '\\:\\/\\/')
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`);
}
