import { fillText } from '@parley/base';
import type { ConsentPreview, PreviewScope, PreviewTool } from './preview.ts';
import { PREVIEW_WORDS } from './preview-words.ts';

type Words = (typeof PREVIEW_WORDS)['en'];

/**
 * The consent screen as plain text. Indented, never padded into columns: how wide a character is drawn cannot be told
 * from its length.
 */
export function renderPreview(preview: ConsentPreview): string {
  const words = PREVIEW_WORDS[preview.locale];
  const lines = [headline(preview, words)];
  for (const group of preview.groups) {
    lines.push('', fillText(words.level, { level: group.label, behaviour: group.behaviour }));
    for (const scope of group.scopes) lines.push('', ...renderScope(scope, words).map((line) => `  ${line}`));
  }
  if (preview.flags.length > 0) lines.push('', words.flagsTitle, ...preview.flags.map(({ text }) => `  - ${text}`));
  return `${lines.join('\n')}\n`;
}

function headline(preview: ConsentPreview, words: Words): string {
  const count = preview.groups.reduce((sum, group) => sum + group.scopes.length, 0);
  const text = count === 0 ? words.headlineNone : count === 1 ? words.headlineOne : words.headline;
  return fillText(text, { version: preview.agentVersion, count });
}

function renderScope(scope: PreviewScope, words: Words): string[] {
  const { label, id, description, warnings, tools } = scope;
  const lines = [fillText(scope.required ? words.scopeRequired : words.scope, { label, id })];
  if (description !== undefined) lines.push(`  ${description}`);
  for (const warning of warnings) lines.push(`  ! ${warning}`);
  for (const tool of tools) lines.push(...renderTool(tool, words).map((line) => `  ${line}`));
  return lines;
}

function renderTool(tool: PreviewTool, words: Words): string[] {
  const { name, description, parameters, acceptsMore } = tool;
  const lines = [`- ${fillText(tool.required ? words.toolRequired : words.tool, { name, description })}`];
  for (const parameter of parameters) {
    const text = parameter.required ? words.parameterRequired : words.parameter;
    lines.push(`    ${fillText(text, { name: parameter.name, type: parameter.type })}`);
  }
  if (acceptsMore) lines.push(`    ${words.anyMore}`);
  else if (parameters.length === 0) lines.push(`    ${words.noParameters}`);
  return lines;
}
