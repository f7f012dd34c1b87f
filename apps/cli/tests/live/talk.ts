import { type ChildProcess, spawn } from 'node:child_process';
import { inTime } from '@parley/testkit/until';
import { BIN, ROOT } from '../run.ts';

/** A command that goes on while a test talks to it, line by line. */
export class Talk {
  output = '';
  readonly ended: Promise<number | null>;
  private seen = 0;
  private readonly child: ChildProcess;
  private readonly waiting = new Set<() => void>();

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env: { PATH, ...env }, stdio: 'pipe' });
    const hear = (text: string) => {
      this.output += text;
      for (const look of this.waiting) look();
    };
    this.child.stdout!.setEncoding('utf8').on('data', hear);
    this.child.stderr!.setEncoding('utf8').on('data', hear);
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  say(line: string): void {
    this.child.stdin!.write(`${line}\n`);
  }

  /** Waits until it has said this, after what was waited for before; tells what was said up to there. */
  async until(text: string): Promise<string> {
    const said = new Promise<string>((resolve, reject) => {
      const look = () => {
        const at = this.output.indexOf(text, this.seen);
        if (at === -1) return;
        const said = this.output.slice(this.seen, at + text.length);
        this.seen = at + text.length;
        this.waiting.delete(look);
        resolve(said);
      };
      this.waiting.add(look);
      void this.ended.then(() => reject(new Error(`ended without “${text}”:\n${this.output.slice(this.seen)}`)));
      look();
    });
    return await inTime(said, () => `not “${text}”:\n${this.output.slice(this.seen)}`);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.ended;
  }
}
