import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ensureSite } from './harness/index.ts';

const LIMIT = 250_000;

/** What a browser loads before anyone signs in: the page, and all its scripts and styles import without being asked. */
async function firstFiles(): Promise<Map<string, Buffer>> {
  const site = await ensureSite();
  const read = (name: string) => readFileSync(join(site, name));
  const page = read('index.html');
  const files = new Map([['index.html', page]]);
  const add = (name: string): void => {
    if (files.has(name)) return;
    const content = read(name);
    files.set(name, content);
    for (const [, path] of content.toString().matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      add(`assets/${path}`);
  };
  for (const [, path] of page.toString().matchAll(/(?:src|href)="\/app\/(assets\/[^"]+)"/g)) add(path!);
  return files;
}

describe('HS-11 the first load', () => {
  it('HS-11 is under 250 KB gzipped, all of it from the same place', async () => {
    const files = await firstFiles();
    const sizes = [...files].map(([name, content]) => [name, gzipSync(content).length] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(files.size).toBeGreaterThan(5);
    expect(total, JSON.stringify(sizes)).toBeLessThan(LIMIT);
    expect(files.get('index.html')!.toString()).not.toMatch(/(?:src|href)="(?!\/app\/)/);
  });

  it('HS-11 has nothing heavy in it: no editor, no graph, no Markdown, no client', async () => {
    const names = [...(await firstFiles()).keys()].join(' ');
    expect(names).not.toMatch(/code-editor|flow-graph|markdown|boot/);
  });
});
