import { readFileSync } from 'node:fs';
import { LOCALES, type Locale } from '@parley/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeMarkdown } from '../../src/bundle/escape-markdown.ts';
import {
  type Bundle,
  type HandoffEdge,
  type Kit,
  previewBundle,
  type Role,
  readBundle,
  renderMarkdown,
  type Team,
} from '../../src/bundle/index.ts';
import { PREVIEW_TEXTS } from '../../src/bundle/preview-texts.ts';
import { minimalBundle } from './minimal.ts';

const EXAMPLES = new URL('../../../../examples/bundles/', import.meta.url);
const PLAN = {
  files: [
    { path: 'AGENTS.md', action: 'modify' as const },
    { path: 'skills/a*b/SKILL.md', action: 'create' as const },
    { path: 'old.md', action: 'remove' as const },
  ],
  planDigest: `sha256:${'5'.repeat(64)}`,
};

/** What stands in the text for a leaf: the word of the language where there is one, else its escaped form. */
function wordsFor(name: string, leaf: string | number | boolean, locale: Locale): string[] {
  const words = PREVIEW_TEXTS[locale];
  if (typeof leaf === 'boolean') {
    if (name === 'isEntry') return leaf ? [words.entry] : [];
    return leaf ? [] : [words.noEscalation];
  }
  const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    risk: words.risks,
    action: words.actions,
  };
  if (name === 'type' && Object.hasOwn(words.edges, leaf)) return [words.edges[leaf as HandoffEdge['type'] & string]];
  return [tables[name]?.[leaf] ?? escapeMarkdown(String(leaf), Number.POSITIVE_INFINITY)];
}

/** The items of the outermost list in a text, each with its own items. */
function itemsOf(text: string): string[] {
  const indents = [...text.matchAll(/^( *)- /gm)].map(([, indent]) => indent!.length);
  const inner = text.startsWith('- ') ? indents.filter((indent) => indent > 0) : indents;
  if (inner.length === 0) return [];
  const indent = ' '.repeat(Math.min(...inner));
  return text
    .split(new RegExp(`^${indent}(?=- )`, 'm'))
    .slice(1)
    .map((item) => item.split(/\n\n/, 1)[0]!);
}

/** Every leaf of a value stands in the text; of an object in a list, all of them in one item. Gives those that do not. */
function listLost(value: unknown, text: string, locale: Locale, path = ''): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (value === null) return [];
  if (typeof value !== 'object') {
    const wanted = wordsFor(name, value as string | number | boolean, locale);
    return wanted.filter((word) => !text.includes(word)).map((word) => `${path}: ${word}`);
  }
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, part]) => listLost(part, text, locale, `${path}/${key}`));
  }
  const items = itemsOf(text);
  return value.flatMap((part: unknown, index) => {
    if (typeof part !== 'object') return listLost(part, text, locale, `${path}/${index}`);
    const losses = items.map((item) => listLost(part, item, locale, `${path}/${index}`));
    return losses.reduce((best, lost) => (lost.length < best.length ? lost : best), losses[0] ?? [`${path}/${index}`]);
  });
}

function expectComplete(bundle: Bundle): void {
  for (const locale of LOCALES) {
    const preview = previewBundle(bundle, { ...PLAN, locale });
    expect(listLost(preview, renderMarkdown(preview, locale), locale)).toEqual([]);
  }
}

const HOSTILE = [
  'plain',
  '<b>&amp;"',
  '[x](https://evil.example) www.evil.example',
  '**bold** _it_ `code` | $a$ ^b^',
  ' a\n# b\r\n- c\u202ed\u200b ',
  '{text} {label}',
  '中文，、。',
  'e\u0301\u0301\u0301\u0301\u0301\u0301',
];

function richBundle(texts: readonly string[]): Bundle {
  let used = 0;
  // A text of its own for each place: found in one, it cannot stand in for another.
  const text = (long = false) => `#${used}.${texts[used++ % texts.length]!}${long ? ' long'.repeat(150) : ''}`;
  const role = (id: string): Role => ({
    id,
    label: text(),
    purpose: text(true),
    boundaries: [text(), text(true)],
    kits: ['kit-a', 'kit-b'],
  });
  const kit = (id: string, more: Partial<Kit>): Kit => ({
    id,
    label: text(),
    description: text(),
    capabilities: Array.from({ length: 9 }, () => text(true)),
    ...more,
  });
  const edge = (source: string, target: string, more: Partial<HandoffEdge>): HandoffEdge => ({
    source,
    target,
    label: text(true),
    ...more,
  });
  const team = (id: string, more: Partial<Team>): Team => ({
    id,
    label: text(true),
    members: [{ id: 'role-a' }, { id: 'role-b' }, { id: 'role-c' }],
    terminationRules: [text(true), text()],
    ...more,
  });
  return minimalBundle({
    name: text(),
    description: text(true),
    roles: [role('role-a'), role('role-b'), role('role-c')],
    kits: [
      kit('kit-a', { riskLevel: 'critical', runtime: 'docker', permissions: permissions(text) }),
      kit('kit-b', { riskLevel: 'low', mirror: { source: text(), digest: `sha256:${'b'.repeat(64)}` } }),
      kit('kit-c', { description: '', mirror: { source: text() } as Kit['mirror'] & object }),
    ],
    teams: [
      team('team-a', {
        topology: 'mesh',
        concurrencyMode: 'mixed',
        handoffGraph: [
          edge('role-a', 'role-b', { type: 'conditional', condition: `output.a == "${'y'.repeat(900)}"` }),
          edge('role-a', 'role-b', { type: 'fallback', priority: 17 }),
          edge('role-a', 'role-c', { type: 'fallback', priority: 3 }),
          edge('kit-a', 'role-a', { type: 'kit-attach' }),
        ],
        degradationStrategy: { toolMissing: 'skip', permDenied: 'escalate', modelWeak: 'fallback', timeout: 'retry' },
        humanEscalation: { enabled: true, condition: text(true), maxRetries: 41 },
      }),
      team('team-b', { humanEscalation: { enabled: false, condition: text(), maxRetries: 43 } }),
      team('team-c', { humanEscalation: { enabled: true } }),
    ],
  });
}

function permissions(text: () => string): NonNullable<Kit['permissions']> {
  return [1, 2].map(() => ({ type: text(), target: text(), mode: text() }));
}

describe('BA-1 the markdown of a preview has every leaf of it', () => {
  it.each(['note-taker', 'research-pipeline', 'review-board'])('of the example %s', (name) => {
    const text = readFileSync(new URL(`${name}/manifest.json`, EXAMPLES), 'utf8');
    expectComplete(readBundle(JSON.parse(text)).bundle!);
  });

  it.each(HOSTILE)('of a bundle with everything, where each text is like %j', (text) => {
    expectComplete(richBundle([text]));
  });

  it('of any bundle with everything', () => {
    const texts = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 200 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(texts, (some) => expectComplete(richBundle(some))),
      { numRuns: 25 },
    );
  });

  it('and what is not there is missed', () => {
    const preview = previewBundle(richBundle(['plain']), PLAN);
    const markdown = renderMarkdown(preview);
    const { capabilities } = preview.capabilities[0]!;
    const escaped = escapeMarkdown(capabilities[8]!, 1_000);
    expect(listLost(preview, markdown.replace(escaped, ''), 'en')).toEqual([
      `/capabilities/0/capabilities/8: ${escaped}`,
    ]);
  });
});
