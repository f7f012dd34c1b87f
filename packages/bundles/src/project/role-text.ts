import type { Payload, Role } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import type { Target } from './projection.ts';
import type { Words } from './words.ts';

/** A role's instructions: what it is for, what it does, what it must not do (BA-4). */
export function renderRole(role: Role, words: Words, thinking: Target['thinking']): string {
  const { thinkingLevel } = role;
  const level = thinkingLevel === undefined ? undefined : (thinking?.[thinkingLevel] ?? thinkingLevel);
  const lines = [
    `### ${inline(role.label)} (${role.id})`,
    '',
    ...field(words.purpose, role.purpose),
    ...field(words.description, role.description),
    ...field(words.thinking, level),
    ...field(words.input, payload(role.input)),
    ...field(words.output, payload(role.output)),
    ...field(words.kits, role.kits?.join(', ')),
    ...list(words.responsibilities, role.responsibilities),
    ...list(words.boundaries, role.boundaries),
  ];
  return `${lines.join('\n')}\n`;
}

export function field(name: string, value: string | undefined): string[] {
  const lines = (value ?? '').trim().split(/\r\n|[\n\r]/);
  if (lines.length > 1) return [`- ${name}:`, '', ...lines.map((line) => `  > ${inline(line)}`.trimEnd()), ''];
  return lines[0] === '' ? [] : [`- ${name}: ${inline(lines[0]!)}`];
}

export function list(name: string, items: readonly string[] | undefined): string[] {
  if (items === undefined || items.length === 0) return [];
  return [`- ${name}:`, ...items.map((item) => `  - ${inline(item.replaceAll(/\s+/g, ' '))}`)];
}

function payload(value: Payload | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.schema === undefined || value.schema === null
    ? value.type
    : `${value.type}, ${JSON.stringify(value.schema)}`;
}
