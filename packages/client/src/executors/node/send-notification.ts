import { findProgram } from '@parley/base/node';
import { describeNotification } from '../describe.ts';
import { readNotification, SHOWN } from '../notification.ts';
import type { Executor } from '../types.ts';
import { type Environment, type Program, runProgram } from './run-program.ts';

/** Shows it to the person instead of the desktop, in a terminal for example. */
export type Notify = (notification: { readonly title: string; readonly body: string }) => void | Promise<void>;

export interface NotificationOptions {
  readonly notify?: Notify;
  readonly environment: Environment;
  readonly platform: string;
}

type MakeProgram = (title: string, body: string) => Program;

/** Undefined where no program can show notifications. */
export function sendNotificationExecutor(options: NotificationOptions): Executor | undefined {
  const notify = options.notify ?? findNotifier(options);
  if (notify === undefined) return undefined;
  return {
    tool: 'send_notification',
    scope: 'notification:send',
    sensitivity: 'low',
    describe: ({ title }, locale) => describeNotification(locale, String(title)),
    run: async (args, { signal }) => {
      const notification = readNotification(args);
      await notify(notification, signal);
      return SHOWN;
    },
  };
}

function findNotifier({ environment, platform }: NotificationOptions) {
  const make = findProgramMaker(environment, platform);
  if (make === undefined) return undefined;
  return async ({ title, body }: { title: string; body: string }, signal: AbortSignal) => {
    await runProgram(make(title, body), { signal, maxBytes: 64 * 1024, environment });
  };
}

function findProgramMaker(environment: Environment, platform: string): MakeProgram | undefined {
  switch (platform) {
    case 'darwin':
      return withProgram('osascript', environment, (file) => (title, body) => ({
        file,
        args: [...APPLE_SCRIPT.flatMap((line) => ['-e', line]), '--', title, body],
      }));
    case 'win32':
      return withProgram('powershell.exe', environment, (file) => (title, body) => ({
        file,
        args: ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT],
        env: { PARLEY_TITLE: title, PARLEY_BODY: body },
      }));
    default:
      return withProgram('notify-send', environment, (file) => (title, body) => ({
        file,
        // Nothing after `--` is an option; the body may hold markup, links and pictures.
        args: ['--app-name=Parley', '--', title, escapeMarkup(body)],
      }));
  }
}

function withProgram(
  name: string,
  environment: Environment,
  make: (file: string) => MakeProgram,
): MakeProgram | undefined {
  const file = findProgram(name, environment);
  return file === undefined ? undefined : make(file);
}

const APPLE_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title "Parley" subtitle (item 1 of argv)',
  'end run',
];

const WINDOWS_SCRIPT = `
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$icon = New-Object System.Windows.Forms.NotifyIcon
$icon.Icon = [System.Drawing.SystemIcons]::Information
$icon.Visible = $true
$icon.ShowBalloonTip(5000, $env:PARLEY_TITLE, $env:PARLEY_BODY + ' ', 'None')
Start-Sleep -Seconds 6
$icon.Dispose()`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);
}
