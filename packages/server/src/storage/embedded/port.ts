import { createServer } from 'node:net';
import { isParleyError } from '@parley/base';
import { serverError } from '../../errors.ts';

const ATTEMPTS = 5;

/**
 * Starts something on the preferred port of loopback, or on another one if that is taken. A port that was free when it
 * was checked may be taken a moment later: then it tries again.
 */
export async function startOnPort<Started>(wish: number, start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const port = (attempt === 1 ? await tryPort(wish) : undefined) ?? (await tryPort(0));
    if (port === undefined) throw serverError('POSTGRES_NO_PORT');
    try {
      return await start(port);
    } catch (error) {
      if (attempt === ATTEMPTS || !wasTaken(error)) throw error;
    }
  }
}

function wasTaken(error: unknown): boolean {
  return isParleyError(error, 'POSTGRES_FAILED') && /address already in use/i.test(String(error.params.reason));
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on('error', () => done(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const { port: given } = probe.address() as { port: number };
      probe.close(() => done(given));
    });
  });
}
