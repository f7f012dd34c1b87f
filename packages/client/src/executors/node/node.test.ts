import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRESET_SCOPES } from '@parley/documents';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CONTENT_BYTES } from '../content.ts';
import type { Executor } from '../types.ts';
import { type NodeExecutorOptions, nodeExecutors } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program of that name that runs `script` and writes down what it was started with. */
function install(name: string, script = ''): void {
  const log = JSON.stringify(join(folder, 'started.json'));
  const text = `#!${process.execPath}
const env = { title: process.env.PARLEY_TITLE, body: process.env.PARLEY_BODY };
require('node:fs').writeFileSync(${log}, JSON.stringify({ args: process.argv.slice(2), env }));
${script}`;
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}
const started = () => JSON.parse(readFileSync(join(folder, 'started.json'), 'utf8'));

const context = () => ({ signal: new AbortController().signal, locale: 'en', enter: async () => {} }) as const;

function find(tool: string, options: NodeExecutorOptions = {}): Executor | undefined {
  const environment = { PATH: folder, DISPLAY: ':0' };
  return nodeExecutors({ environment, platform: 'linux', ...options }).find((executor) => executor.tool === tool);
}

describe('CG-13 the catalogue of a Node device', () => {
  it('CG-13 has what the machine can do, under the scope it belongs to, never below the preset’s level', () => {
    install('notify-send');
    install('xclip');
    const executors = nodeExecutors({
      environment: { PATH: folder, DISPLAY: ':0' },
      platform: 'linux',
      files: { roots: [folder] },
      location: { latitude: 0, longitude: 0 },
    });
    expect(executors.map(({ tool, scope, sensitivity }) => [tool, scope, sensitivity])).toEqual([
      ['send_notification', 'notification:send', 'low'],
      ['read_file', 'filesystem:read', 'medium'],
      ['read_clipboard', 'clipboard:read', 'medium'],
      ['read_location', 'location:read', 'high'],
      ['fetch_url', 'network:http', 'medium'],
      ['fetch_web_page', 'network:http', 'medium'],
    ]);
    for (const { scope, sensitivity } of executors) {
      expect(PRESET_SCOPES.get(scope)?.sensitivity ?? 'medium').toBe(sensitivity);
    }
  });

  it('CG-5 has nothing it was not given: no folder, no place, no program', () => {
    const executors = nodeExecutors({ environment: { PATH: folder }, platform: 'linux' });
    expect(executors.map(({ tool }) => tool)).toEqual(['fetch_url', 'fetch_web_page']);
    install('xclip');
    const withoutDisplay = nodeExecutors({ environment: { PATH: `.:relative:${folder}` }, platform: 'linux' });
    expect(withoutDisplay.map(({ tool }) => tool)).toEqual(['fetch_url', 'fetch_web_page']);
  });
});

describe('CG-13 send_notification', () => {
  it('CG-13 shows it by the given function, made fit to be seen', async () => {
    const shown: object[] = [];
    const executor = find('send_notification', { notify: (notification) => void shown.push(notification) })!;
    expect(await executor.run({ title: 'Hello\u202e\n', body: 'there' }, context())).toEqual({ shown: true });
    expect(shown).toEqual([{ title: expect.not.stringMatching(/[\u202e\n]/), body: 'there' }]);
    await expect(executor.run({ body: 'no title' }, context())).rejects.toMatchObject({
      code: 'TOOL_INVALID_ARGUMENTS',
    });
  });

  it('CG-13 shell injection in a notification: every word arrives as it is, none is run', async () => {
    install('notify-send');
    const evil = join(folder, 'evil');
    const title = `"; touch ${evil}; $(touch ${evil}) \`touch ${evil}\` '`;
    await find('send_notification')!.run({ title, body: `| touch ${evil}` }, context());
    expect(started().args).toEqual(['--app-name=Parley', '--', title, `| touch ${evil}`]);
    expect(existsSync(evil)).toBe(false);
  });

  it('CG-13 option and markup injection in a notification: neither an option nor a link', async () => {
    install('notify-send');
    const body = '<a href="https://evil.example">click</a> & <img src="file:///etc/passwd"/>';
    await find('send_notification')!.run({ title: '--icon=/etc/passwd', body }, context());
    const { args } = started();
    expect(args.slice(1, 3)).toEqual(['--', '--icon=/etc/passwd']);
    expect(args[3]).toBe(
      '&lt;a href="https://evil.example"&gt;click&lt;/a&gt; &amp; &lt;img src="file:///etc/passwd"/&gt;',
    );
  });

  it('CG-13 script injection in a notification: on macOS and Windows the script is fixed', async () => {
    const title = '" & (do shell script "touch evil") & "';
    install('osascript');
    await find('send_notification', { platform: 'darwin' })!.run({ title, body: "'; calc; '" }, context());
    const apple = started().args;
    expect(apple.slice(-3)).toEqual(['--', title, "'; calc; '"]);
    expect(apple.slice(0, -3).join()).not.toContain('shell');
    install('powershell.exe');
    await find('send_notification', { platform: 'win32' })!.run({ title, body: '$(calc)' }, context());
    const { args, env } = started();
    expect(args.join()).not.toContain('calc');
    expect(env).toEqual({ title, body: '$(calc)' });
  });

  it('CG-13 a notifier that fails says nothing about this device to the agent', async () => {
    install('notify-send', 'console.error("no bus for alice"); process.exit(3);');
    const error = await find('send_notification')!
      .run({ title: 'x' }, context())
      .catch((failure) => failure);
    expect(error).toMatchObject({ code: 'TOOL_PLATFORM_ERROR', message: 'A program of this device failed.' });
  });
});

describe('CG-13 read_clipboard', () => {
  it.each(['xclip', 'xsel'])('CG-13 by %s', async (name) => {
    install(name, 'process.stdout.write("copied 你好")');
    expect(await find('read_clipboard')!.run({}, context())).toEqual({ content: 'copied 你好' });
  });

  it('CG-13 on Wayland, macOS and Windows by their own programs', async () => {
    const wayland = { PATH: folder, WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };
    install('xclip', 'process.exit(1)');
    install('wl-paste', 'process.stdout.write("w")');
    install('pbpaste', 'process.stdout.write("m")');
    install('powershell.exe', 'process.stdout.write("p")');
    expect(await find('read_clipboard', { environment: wayland })!.run({}, context())).toEqual({ content: 'w' });
    expect(await find('read_clipboard', { platform: 'darwin' })!.run({}, context())).toEqual({ content: 'm' });
    expect(await find('read_clipboard', { platform: 'win32' })!.run({}, context())).toEqual({ content: 'p' });
  });

  it('CG-13 what is too large or no text is refused in clear words', async () => {
    install('xclip', `process.stdout.write("x".repeat(${MAX_CONTENT_BYTES + 1}))`);
    await expect(find('read_clipboard')!.run({}, context())).rejects.toThrow('which an answer cannot carry');
    install('xclip', 'process.stdout.write(Buffer.from([0xff]))');
    await expect(find('read_clipboard')!.run({}, context())).rejects.toThrow('not text');
  });

  it('CG-8 a program that does not end is ended with the call', async () => {
    install('xclip', 'setInterval(() => {}, 1000)');
    const stop = new AbortController();
    const running = find('read_clipboard')!.run({}, { ...context(), signal: stop.signal });
    await expect.poll(() => existsSync(join(folder, 'started.json'))).toBe(true);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
  });
});

describe('CG-13 read_location', () => {
  it('CG-13 a setting, or whoever knows', async () => {
    const berlin = { latitude: 52.52, longitude: 13.4, accuracy: 20 };
    expect(await find('read_location', { location: berlin })!.run({}, context())).toEqual(berlin);
    const found = find('read_location', { location: async () => ({ latitude: -1, longitude: 1 }) })!;
    expect(await found.run({}, context())).toEqual({ latitude: -1, longitude: 1 });
  });

  it('CG-13 what is no place on earth is not told', async () => {
    for (const [latitude, longitude] of [
      [91, 0],
      [0, Number.NaN],
      [0, 181],
    ] as const) {
      const executor = find('read_location', { location: { latitude, longitude } })!;
      await expect(executor.run({}, context())).rejects.toThrow('not known');
    }
  });
});
