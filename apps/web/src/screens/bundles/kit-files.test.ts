import { describe, expect, it } from 'vitest';
import { type ChosenFiles, checkFiles, readKits, sortFolder } from './kit-files.ts';

function fileAt(path: string, text = 'x'): File {
  return Object.defineProperty(new File([text], path.split('/').at(-1)!), 'webkitRelativePath', { value: path });
}

const chosen = (kit: string, ...paths: string[]): ChosenFiles =>
  new Map([[kit, paths.map((path) => ({ path, file: new Blob(['x']) }))]]);
const known = { kits: ['notes'], manifest: 100 };
const codes = (files: ChosenFiles) => checkFiles(files, known).map(({ code }) => code);

describe('BV-4 the files of a bundle, chosen in a browser', () => {
  it('BV-4 a folder is sorted as authors keep it: the manifest, and files below the kits', () => {
    const paths = ['manifest.json', 'README.md', 'kits/notes/SKILL.md', 'kits/notes/a/b.txt', 'kits/loose.txt'];
    const { manifest, kits } = sortFolder(paths.map((path) => fileAt(`my bundle/${path}`)));
    expect(manifest?.name).toBe('manifest.json');
    expect([...kits].map(([kit, files]) => [kit, files.map(({ path }) => path)])).toEqual([
      ['notes', ['SKILL.md', 'a/b.txt']],
    ]);
    expect(sortFolder([fileAt('x/kits/manifest.json')])).toEqual({ manifest: undefined, kits: new Map() });
  });

  it('BV-4 what the registry would refuse is found before anything is sent', () => {
    expect(codes(chosen('notes', 'SKILL.md', 'a/b.txt'))).toEqual([]);
    expect(codes(chosen('other', 'a'))).toEqual(['unknownKit']);
    expect(codes(chosen('notes', 'con.txt', 'a:b', 'x\u202ey', `${'a/'.repeat(250)}b`))).toEqual(
      Array(4).fill('unsafePath'),
    );
    expect(codes(chosen('notes', 'README.md', 'readme.MD'))).toEqual(['twice']);
    expect(codes(chosen('notes', ...Array.from({ length: 501 }, (_, index) => `${index}`)))).toEqual(['tooMany']);
    const large = new Map([['notes', [{ path: 'a', file: new Blob(['x'.repeat(800_000)]) }]]]);
    expect(codes(large)).toEqual(['tooLargeTogether']);
  });

  it('BV-4 the estimate of the size is never below what is sent', async () => {
    const files = new Map([['notes', [{ path: '目录/"a"', file: new Blob(['x'.repeat(1_000)]) }]]]);
    const body = JSON.stringify({ manifest: {}, kits: await readKits(files) });
    const sent = new TextEncoder().encode(body).length;
    const [problem] = checkFiles(files, { kits: ['notes'], manifest: 1024 * 1024 - sent + 20 });
    expect(problem).toBeDefined();
    expect(await readKits(new Map([['notes', [{ path: 'a', file: new Blob(['hi']) }]]]))).toEqual({
      notes: [{ path: 'a', data: 'aGk=' }],
    });
  });
});
