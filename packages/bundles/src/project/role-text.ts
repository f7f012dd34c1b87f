import type { Payload, Role } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import type { Target } from './projection.ts';
import type { ProjectionTexts } from './texts.ts';

/** Renders a role's instructions: its purpose, its tasks and what it must not do (BA-4). */
export function renderRole(role: Role, texts: ProjectionTexts, thinking: Target['thinking']): string {
  const { thinkingLevel } = role;
  const level = thinkingLevel === undefined ? undefined : (thinking?.[thinkingLevel] ?? thinkingLevel);
  const lines = [
    `### ${inline(role.label)} (${role.id})`,
    '',
    ...field(texts.purpose, role.purpose),
    ...field(texts.description, role.description),
    ...field(texts.thinking, level),
    ...field(texts.input, payload(role.input)),
    ...field(texts.output, payload(role.output)),
    ...field(texts.kits, role.kits?.join(', ')),
    ...list(texts.responsibilities, role.responsibilities),
    ...list(texts.boundaries, role.boundaries),
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
