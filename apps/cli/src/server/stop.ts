import { stopRunning } from '@parley/app-server';
import { EXIT } from '../failure.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { explainRefusal, readSettings } from './settings.ts';

export async function stop(words: Words): Promise<Outcome> {
  const { dataDir } = readSettings(words);
  const stopped = await stopRunning(dataDir).catch((error: unknown) => {
    throw explainRefusal(error, words);
  });
  const text = words.say(stopped ? 'stop.stopped' : 'stop.none');
  return { exit: EXIT.fine, json: { stopped }, text: () => `${text}\n` };
}
