import { displayText } from '../display-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Untrusted text inside a line of Markdown (BA-1): on one line, nothing hidden, and every character that a renderer
 * could read as markup, HTML or a link is written as itself. Never at the start of a line.
 */
export function escapeMarkdown(text: string, max?: number): string {
  return displayText(text, max)
    .replaceAll(/[\\`*_{}[\]()#+!|~=^$@]/g, '\\$&')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replaceAll('://', '\\:\\/\\/')
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`);
}
