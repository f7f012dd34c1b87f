import { browserCrypto } from '../../src/provider/browser.ts';
import { KNOWN_ANSWERS, makeKnownAnswer } from '../known-answers.ts';
import { answerPrimitives } from './primitives.ts';

export interface PageReport {
  readonly primitives: ReturnType<typeof answerPrimitives>;
  readonly knownAnswers: Readonly<Record<string, string>>;
  /** Random bytes of the platform: how many, and whether two draws differ. */
  readonly random: { readonly length: number; readonly fresh: boolean };
  readonly isBrowser: boolean;
}

async function run(): Promise<PageReport> {
  const vectors = await (await fetch('/primitives.json')).json();
  const [one, other] = [browserCrypto.randomBytes(100_000), browserCrypto.randomBytes(100_000)];
  return {
    primitives: answerPrimitives(browserCrypto, vectors),
    knownAnswers: Object.fromEntries(KNOWN_ANSWERS.map((name) => [name, makeKnownAnswer(name, browserCrypto)])),
    random: { length: one.length, fresh: one.some((byte, at) => byte !== other[at]) },
    isBrowser: 'document' in globalThis && !('process' in globalThis),
  };
}

const outcome = await run().then(
  (report) => ({ report }),
  (error: Error) => ({ failure: `${error.stack ?? error}` }),
);
await fetch('/outcome', { method: 'POST', body: JSON.stringify(outcome) });
