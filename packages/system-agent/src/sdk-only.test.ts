import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('SA-3 an ordinary agent', () => {
  it('SA-3 is made of what anyone can make an agent of', () => {
    const folder = new URL('./', import.meta.url);
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const imported = sources.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '([^.'][^']*)'/g)].map(([, from]) => from),
    );
    expect([...new Set(imported)].sort()).toEqual(['@parley/agent', '@parley/base', '@parley/documents']);
  });
});
