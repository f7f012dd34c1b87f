import { until } from '@parley/testkit/until';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from './app.ts';
import { createIntake } from './intake.ts';

it('OP-3 attack: many large bodies of strangers: the body of whoever is signed in is parsed after one turn', async () => {
  const turns: (() => void)[] = [];
  const intake = createIntake((run) => turns.push(run));
  let arrived = 0;
  const app = createApp({
    log: pino({ level: 'silent' }),
    intake: {
      add: (account, bytes, handle) => {
        arrived++;
        intake.add(account, bytes, handle);
      },
    },
    trustedProxies: [],
    now: () => new Date(0),
    publicUrl: 'http://localhost',
    onRefused: () => {},
  });
  const handled: string[] = [];
  app.addHook('onRequest', async (request) => {
    const accountId = String(request.headers.from ?? '');
    if (accountId !== '') Object.assign(request, { caller: { kind: 'human', accountId } });
  });
  app.post('/bodies', async (request) => {
    handled.push(String(request.headers.from));
    return {};
  });
  const post = (from: string, text: string) =>
    app.inject({
      method: 'POST',
      url: '/bodies',
      headers: { 'content-type': 'application/json', from },
      payload: JSON.stringify({ text }),
    });
  try {
    const flood = Array.from({ length: 10 }, () => post('', 'x'.repeat(300_000)));
    await until(() => arrived === 10);
    const innocent = post('innocent', 'hello');
    await until(() => arrived === 11);
    for (const run of turns.splice(0)) run();
    expect((await innocent).statusCode).toBe(200);
    expect(handled.filter((from) => from === '').length).toBeLessThanOrEqual(3);
    while (handled.length < 11) {
      for (const run of turns.splice(0)) run();
      await Promise.resolve();
    }
    expect((await Promise.all(flood)).map(({ statusCode }) => statusCode)).toEqual(flood.map(() => 200));
  } finally {
    await app.close();
  }
});
