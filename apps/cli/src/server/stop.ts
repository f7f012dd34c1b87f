import { stopRunning } from '@parley/app-server';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { explainRefusal, readSettings } from './settings.ts';

export async function stop(words: Words): Promise<CommandResult> {
  const { dataDir } = readSettings(words);
  const stopped = await stopRunning(dataDir).catch((error: unknown) => {
    throw explainRefusal(error, words);
  });
  const text = words.say(stopped ? 'stop.stopped' : 'stop.none');
  return { exit: EXIT.fine, json: { stopped }, text: () => `${text}\n` };
}
