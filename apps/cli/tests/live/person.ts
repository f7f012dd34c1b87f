import { join } from 'node:path';
import { parley, type Result, type RunOptions } from '../run.ts';

export const PASSWORD = 'correct horse battery';

/** What a command printed with `--json`, and how it ended. */
export interface JsonResult {
  readonly code: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  readonly json: any;
}

/** A machine of a person: a home folder of its own, and a server. */
export class Machine {
  readonly env: Readonly<Record<string, string>>;

  constructor(folder: string, name: string, url: string) {
    this.env = { PARLEY_HOME: join(folder, name), PARLEY_URL: url };
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
    return parley(args, { ...options, env: { ...this.env, ...options.env } });
  }

  async json(args: readonly string[], options: RunOptions = {}): Promise<JsonResult> {
    const { code, stdout } = await this.run([...args, '--json'], options);
    return { code, json: JSON.parse(stdout) };
  }

  register(email: string): Promise<JsonResult> {
    const args = ['register', '--email', email, '--name', 'Ada', '--password-stdin'];
    return this.json(args, { input: `${PASSWORD}\n` });
  }

  /** Does not wait for an approval. */
  login(email: string, ...more: string[]): Promise<JsonResult> {
    const args = ['login', '--email', email, '--password-stdin', '--no-wait', ...more];
    return this.json(args, { input: `${PASSWORD}\n` });
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  async devices(): Promise<any[]> {
    return (await this.json(['devices', 'list'])).json.devices;
  }
}
