import { hasheeExecutors, type NewSecret } from '@parley/client';
import { displayText } from '@parley/documents';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { awaitApproval } from '../device/approval.ts';
import { openClient } from '../device/open.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { choosePaint } from '../paint.ts';
import { runChatLoop } from './conversation/chat-loop.ts';
import { createNavigator } from './conversation/navigator.ts';
import { chooseExecutors, type ExecutorOptions } from './executors.ts';
import { openPipe } from './terminal/pipe.ts';
import type { Screen } from './terminal/screen.ts';
import { openTerminal } from './terminal/terminal.ts';

export interface ChatOptions extends ExecutorOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Runs a device in the terminal. */
export async function chat(agent: string | undefined, options: ChatOptions, words: Words): Promise<CommandResult> {
  if (options.json) throw new CommandError('USAGE', { sentences: [{ key: 'chat.json_needs_send' }] });
  const paint = choosePaint(process.stdout.isTTY, process.env);
  let screen: Screen | undefined;
  const notify = ({ title, body }: { title: string; body: string }) =>
    screen?.print(`${paint('yellow', '◆')} ${paint('bold', title)}${body === '' ? '' : `  ${body}`}`);
  const showSecret = ({ kind, agentName, secret }: NewSecret) => {
    const title = words.say(`chat.secret.${kind}`, { name: displayText(agentName) });
    screen?.print(`${paint('yellow', '◆')} ${paint('bold', title)}\n  ${secret}\n  ${words.say('chat.secret.once')}`);
  };
  const { client, close } = await openClient(chooseServer(options.url), {
    words,
    executors: (api, accountId) => [
      ...chooseExecutors(options, notify),
      ...hasheeExecutors({ api, accountId, showSecret }),
    ],
  });
  const left = new AbortController();
  const leave = () => left.abort();
  for (const signal of SIGNALS) process.on(signal, leave);
  try {
    const device = await awaitApproval(client, words);
    screen = openScreen();
    const stop = client.session.subscribe(() => {
      if (client.session.getSnapshot().state !== 'signed_out') return;
      screen?.print(paint('red', words.say('chat.signed_out')));
      leave();
    });
    screen.print(`${words.say('chat.welcome', { name: device.deviceName })}\n`);
    if ((await device.devices.recoverySecret()) !== undefined) {
      screen.print(`${paint('yellow', words.say('chat.recovery_unsaved'))}\n`);
    }
    await runChatLoop(createNavigator({ device, screen, words, paint }, leave), agent, left.signal);
    stop();
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    screen?.close();
    await close();
  }
  return { exit: EXIT.fine, json: null, text: () => `${words.say('chat.bye')}\n` };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function openScreen(): Screen {
  const { stdin, stdout, env } = process;
  return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb' ? openTerminal(stdin, stdout) : openPipe(stdin, stdout);
}
