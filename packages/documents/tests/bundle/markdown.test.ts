import { LOCALES } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { previewBundle, readBundle, renderMarkdown } from '../../src/bundle/index.ts';
import { minimalBundle } from './minimal.ts';

const PLAN = { files: [{ path: 'AGENTS.md', action: 'create' as const }], planDigest: `sha256:${'0'.repeat(64)}` };

/** The same hostile text in every place where a bundle has words. */
function poisoned(text: string) {
  const bundle = minimalBundle({
    name: text,
    summary: text,
    description: text,
    roles: [{ id: 'only', label: text, purpose: text, boundaries: [text], kits: ['kit'] }],
    kits: [
      {
        id: 'kit',
        label: text,
        description: text,
        capabilities: [text],
        permissions: [{ type: text, target: text, mode: text }],
        mirror: { source: text, digest: `sha256:${'a'.repeat(64)}` },
      },
    ],
    teams: [
      {
        id: 'team',
        label: text,
        members: [{ id: 'only' }],
        handoffGraph: [{ source: 'kit', target: 'only', type: 'kit-attach', label: text }],
        terminationRules: [text],
        humanEscalation: { enabled: true, condition: text },
      },
    ],
  });
  return LOCALES.map((locale) => renderMarkdown(previewBundle(bundle, { ...PLAN, locale }), locale)).join('\n');
}

describe('BA-1 a preview', () => {
  it.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '</li></ul><h1>', '<!-- x -->', '&lt;b&gt;'])(
    'shows HTML in labels as text: %s',
    (text) => {
      const markdown = poisoned(text);
      expect(markdown).not.toMatch(/[<>]/);
      expect(markdown).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
      if (text.startsWith('&lt;')) expect(markdown).toContain('&amp;lt;b&amp;gt;');
    },
  );

  it.each([
    ['a link', '[click](https://evil.example)', /\[click\]|\]\(|https:\/\/evil/],
    ['an image', '![x](https://evil.example/p.png)', /(?<!\\)!(?<!\\)\[/],
    ['a bare address', 'https://evil.example www.evil.example a@evil.example', /https:\/\/evil|www\.evil|a@evil/],
    ['a reference', '[x]: https://evil.example', /(?<!\\)\]:/],
    ['emphasis', '**bold** _it_ ~~no~~', /(?<!\\)\*\*bold|(?<!\\)_it|(?<!\\)~~no/],
    ['code', '`rm -rf`', /(?<!\\)`/],
    ['a table', 'a | b', /(?<!\\)\|/],
    ['an escape', 'a\\*b', /(?<!\\)(?:\\\\)*\*b/],
  ])('shows Markdown in labels as text: %s', (_, text, forbidden) => {
    expect(poisoned(text)).not.toMatch(forbidden);
  });

  it('keeps a label on its line: no heading, list or rule can be smuggled in', () => {
    const clean = poisoned('x').split('\n').length;
    const markdown = poisoned('x\n\n# Trusted\n\n- safe\n---\n\r\u2028\u0085y');
    expect(markdown.split(/[\n\r\u2028\u0085]/)).toHaveLength(clean);
    expect(markdown).not.toMatch(/^\s*# Trusted/m);
  });

  it('makes bidi and other hidden characters visible', () => {
    const markdown = poisoned('a\u202eb\u200bc\u0000d\u2066e');
    for (const hidden of '\u202e\u200b\u0000\u2066') expect(markdown).not.toContain(hidden);
    expect(markdown).toContain('a\\[U\\+202E\\]b');
  });

  it('has the fields of the reply, the risk and the entry role', () => {
    const bundle = minimalBundle({ kits: [{ id: 'kit', label: 'Kit', capabilities: ['c'] }] });
    const preview = previewBundle(bundle, PLAN);
    expect(Object.keys(preview)).toEqual(
      'headline description members capabilities risk entryRole files permissions routes planDigest'.split(' '),
    );
    expect(preview).toMatchObject({ risk: 'medium', entryRole: 'only', ...PLAN });
    expect(preview.headline).toBe('Minimal 1.0.0 (roles: 1, kits: 1, teams: 0), risk medium');
    expect(previewBundle(bundle, { ...PLAN, locale: 'zh-CN' }).headline).toContain('1 个角色');
  });

  it('has the risk of the riskiest kit; none is low', () => {
    const kit = (id: string, riskLevel: 'low' | 'high') => ({ id, label: id, capabilities: ['c'], riskLevel });
    expect(previewBundle(minimalBundle(), PLAN).risk).toBe('low');
    expect(previewBundle(minimalBundle({ kits: [kit('a', 'low')] }), PLAN).risk).toBe('low');
    expect(previewBundle(minimalBundle({ kits: [kit('a', 'low'), kit('b', 'high')] }), PLAN).risk).toBe('high');
  });

  it('is made of a valid bundle only', () => {
    expect(readBundle(minimalBundle()).bundle).toBeDefined();
    expect(readBundle({ ...minimalBundle(), id: 'NO' }).bundle).toBeUndefined();
  });
});
