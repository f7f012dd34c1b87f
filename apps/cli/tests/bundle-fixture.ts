import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { parley, type Result, type RunOptions, roleos } from './run.ts';

/** A bundle with one role and a kit that brings files; its folder as an author keeps it. */
export function makeBundle(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    rktVersion: '1.0',
    id: 'note-team',
    version: '1.0.0',
    name: 'Note team',
    summary: 'Keeps notes.',
    targetUser: 'Anyone',
    author: 'Ada',
    roles: [{ id: 'scribe', label: 'Scribe', purpose: 'Writes things down', kits: ['notes'] }],
    kits: [
      {
        id: 'notes',
        label: 'Notes',
        capabilities: ['Keep notes'],
        riskLevel: 'low',
        toolBinding: { type: 'function', config: {} },
      },
    ],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
    ...changes,
  };
}

const KIT = {
  'kits/notes/SKILL.md': '---\nname: notes\n---\nKeep notes.\n',
  'kits/notes/lib/a.js': 'export {};\n',
};
const PERSONS = { 'AGENTS.md': '# Mine\n', 'notes/todo.txt': 'milk\n' };

export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  fill(files: Record<string, string>): string;
  roleos(args: readonly string[], options?: RunOptions): Promise<Result>;
  parley(args: readonly string[], options?: RunOptions): Promise<Result>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
  json(args: readonly string[]): Promise<{ code: number | null; json: any }>;
}

/** A person with a home and a workspace of their own, until the tests of the file are over. */
export function makePlace(env: Record<string, string> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'parley-roleos-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  let count = 0;
  const write = (folder: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  mkdirSync(home);
  write(workspace, PERSONS);
  const withHome = (options: RunOptions = {}) => ({
    ...options,
    env: { HOME: home, ROLEOS_WORKSPACE: workspace, ...env, ...options.env },
  });
  const place: Place = {
    root,
    home,
    workspace,
    fill: (files) => write(join(root, `folder-${++count}`), files),
    roleos: (args, options) => roleos(args, withHome(options)),
    parley: (args, options) => parley(args, withHome(options)),
    json: async (args) => {
      const { code, stdout } = await place.roleos([...args, '--json']);
      return { code, json: JSON.parse(stdout) };
    },
  };
  return place;
}

/** Every path with its mode and content: equal pictures are byte-identical workspaces. */
export function takePicture(root: string): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true }) as string[]) {
    const stats = lstatSync(join(root, name));
    const bytes = stats.isFile() ? readFileSync(join(root, name)) : '';
    const digest = createHash('sha256').update(bytes).digest('hex');
    picture[name] = `${stats.isFile() ? 'file' : 'folder'} ${(stats.mode & 0o777).toString(8)} ${digest}`;
  }
  return picture;
}

export const bundleFiles = (changes: Record<string, unknown> = {}): Record<string, string> => ({
  'manifest.json': JSON.stringify(makeBundle(changes), null, 2),
  ...KIT,
});
