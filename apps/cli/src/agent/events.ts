import { watchAgent } from '@parley/client';
import { createNodePlatform } from '@parley/messenger/node';
import { type AgentLogEvent, agentEventRoutes, readAgentEvent } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { findOwnAgent } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { untilInterrupted } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { printJsonLine, show } from '../print.ts';

export interface EventsOptions {
  readonly url?: string;
  readonly json?: boolean;
  /** Prints the stored events and does not wait for new ones. */
  readonly once?: boolean;
}

/** Prints the events of an agent that the person owns (HS-12) until Ctrl-C. */
export async function showEvents(named: string, options: EventsOptions, words: Words): Promise<CommandResult> {
  const api = openAccountApi(chooseServer(options.url), 'parley');
  const agentId = await findOwnAgent(api, named);
  if (!options.once) return await follow({ api, platform: createNodePlatform(), agentId }, options, words);
  const { events, last_event_id } = await api.call(agentEventRoutes.watchAgent, { params: { agent_id: agentId } });
  const known = events.map(readAgentEvent).filter((event) => event !== undefined);
  return {
    exit: EXIT.fine,
    json: { events, last_event_id },
    text: (paint) => known.map((event) => formatEvent(event, paint)).join(''),
  };
}

async function follow(
  target: Pick<Parameters<typeof watchAgent>[0], 'api' | 'platform' | 'agentId'>,
  { json = false }: EventsOptions,
  words: Words,
): Promise<never> {
  let printing = Promise.resolve();
  const print = (work: () => Promise<void>) => {
    printing = printing.then(work);
  };
  const watch = watchAgent({
    ...target,
    onEvent: (event) =>
      print(() => (json ? printJsonLine(event) : show(process.stdout, (paint) => formatEvent(event, paint)))),
  });
  try {
    await new Promise<void>((resolve, reject) => {
      void untilInterrupted().then(resolve);
      // The reader has closed the pipe (`| head`).
      process.stdout.once('close', () => resolve());
      let before = '';
      watch.subscribe(() => {
        const { status, error } = watch.getSnapshot();
        if (status === 'ended') reject(error);
        // Reconnecting automatically would close another watcher, which would then do the same.
        else if (status === 'replaced') reject(new CommandError('REPLACED'));
        else if (status === 'waiting' && before !== status && !json) {
          print(() => show(process.stderr, (paint) => `${paint('dim', words.say('agent.events_lost'))}\n`));
        }
        before = status;
      });
    });
  } finally {
    watch.stop();
    await printing;
  }
  // A closing connection may still keep the process alive.
  process.exit(EXIT.fine);
}

/** Formats an event as one line: time, type and details. */
function formatEvent({ event_id: _, at, type, ...fields }: AgentLogEvent, paint: Paint): string {
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${displayName(String(value))}`);
  const line = [paint('dim', displayName(at)), paint('bold', type), facts.join(' ')];
  return `${line.filter((part) => part !== '').join('  ')}\n`;
}
