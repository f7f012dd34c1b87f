import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { WEBHOOK_EVENTS } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { makeSecret } from '../src/webhooks/secret.ts';
import { signDelivery } from '../src/webhooks/sign.ts';

const guide = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
const code = /```js\n(.*?)```/s.exec(guide)![1]!;

/** What the code of the guide says, run as its reader would. */
function verdict(...parameters: unknown[]): boolean {
  const call = `console.log(isGenuine(...${JSON.stringify(parameters)}));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', `${code}\n${call}`], {
    encoding: 'utf8',
  });
  return printed.trim() === 'true';
}

describe('TR-5 the guide', () => {
  const secret = makeSecret();
  const body = '{"type":"ping"}';
  const timestamp = 1_800_000_000;
  const headers = signDelivery({ agentId: 'a', deliveryId: 'd', timestamp, body, secrets: [secret] });

  it('TR-5 its code accepts what the server signs', () => {
    expect(verdict(secret, headers, body, timestamp * 1_000)).toBe(true);
  });

  it.each([
    ['a changed body', [secret, headers, `${body} `, timestamp * 1_000]],
    ['another secret', [makeSecret(), headers, body, timestamp * 1_000]],
    ['a replay after five minutes', [secret, headers, body, (timestamp + 301) * 1_000]],
    ['a missing time', [secret, { ...headers, 'x-hashee-timestamp': undefined }, body, timestamp * 1_000]],
    ['a missing signature', [secret, { ...headers, 'x-hashee-signature': undefined }, body, timestamp * 1_000]],
  ])('TR-5 attack: its code refuses %s', (_, parameters) => {
    expect(verdict(...parameters)).toBe(false);
  });

  it.each(WEBHOOK_EVENTS)('TR-6 it names the event %s', (type) => {
    expect(guide).toContain(`\`${type}\``);
  });
});
