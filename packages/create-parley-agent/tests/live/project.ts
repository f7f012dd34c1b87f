import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTime } from '@parley/testkit/until';
import { create, ROOT } from '../folder.ts';

/** A project that was just created, with the packages of the repository as what `npm install` brings. */
export async function createProject(home: string, name: string, ...choices: readonly string[]): Promise<Project> {
  const { code, stderr } = await create(home, [name, ...choices]);
  if (code !== 0) throw new Error(stderr);
  symlinkSync(join(ROOT, 'node_modules'), join(home, name, 'node_modules'));
  return new Project(home, name);
}

export class Project {
  readonly name: string;
  readonly path: string;
  output = '';
  readonly #home: string;
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> | undefined;
  #look = () => {};

  constructor(home: string, name: string) {
    this.#home = home;
    this.name = name;
    this.path = join(home, name);
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  /** As a person would in an editor. */
  set(settings: Readonly<Record<string, string>>): void {
    const kept = this.read('.env')
      .split('\n')
      .filter((line) => !Object.keys(settings).some((name) => line.startsWith(`${name}=`)));
    const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(this.path, '.env'), [...kept, ...added, ''].join('\n'));
  }

  /** What `npm start` runs. */
  start(): void {
    const [, ...args] = JSON.parse(this.read('package.json')).scripts.start.split(' ');
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, args, { cwd: this.path, env: { PATH, HOME: this.#home }, stdio: 'pipe' });
    this.output = '';
    const hear = (text: string) => {
      this.output += text;
      this.#look();
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    this.#child = child;
    this.#ended = new Promise((resolve) => child.on('close', resolve));
  }

  /** Waits until it has printed this. */
  async says(text: string): Promise<void> {
    const said = new Promise<void>((resolve, reject) => {
      this.#look = () => this.output.includes(text) && resolve();
      void this.#ended?.then(() => reject(new Error(`ended without “${text}”:\n${this.output}`)));
      this.#look();
    });
    await inTime(said, () => this.output);
  }

  /** Waits for the end, and returns the exit code. */
  async ended(): Promise<number | null> {
    return (await this.#ended) ?? null;
  }

  /** Ctrl-C. */
  async stop(): Promise<number | null> {
    this.#child?.kill('SIGINT');
    return this.ended();
  }
}
