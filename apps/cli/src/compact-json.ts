import type { Json } from '@parley/documents';

/** Formats JSON as a person would write it: a value that fits into the line after `start` stays on one line. */
export function compactJson(value: Json, columns: number, start = ''): string {
  const inline = writeInline(value);
  if (start.length + inline.length <= columns || typeof value !== 'object' || value === null) return inline;
  const indent = /^ */.exec(start)![0];
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => inner + compactJson(item, columns, inner))
    : Object.entries(value).map(([key, item]) => {
        const line = `${inner}${JSON.stringify(key)}: `;
        return line + compactJson(item, columns, line);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function writeInline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeInline(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
