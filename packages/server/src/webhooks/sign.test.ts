import { createHmac, timingSafeEqual, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSecret } from './secret.ts';
import { type Signable, signDelivery } from './sign.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
// Made with openssl dgst for the body {}.
const KNOWN_HASHEE = '0a58cc39d76bebab2136342970fcf2545c364045c9e72297ac7857fb413d307f';
const KNOWN_STANDARD = 'v1,1Zo4Uhxg34J0S0FYzx8vayJ+d4/G/l0iMdVFhbffdhU=';
const delivery: Signable = {
  agentId: '0192f3a4-0000-7000-8000-000000000001',
  deliveryId: '0192f3a4-0000-7000-8000-000000000002',
  timestamp: 1_731_200_000,
  body: '{"type":"ping","data":{"名":"值 \\u0000"}}',
  secrets: [SECRET],
};

/** Standard Webhooks as its specification words it, in other primitives than ours. */
async function verifyStandard(secret: string, headers: Record<string, string>, body: string, now: number) {
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(now - timestamp) > 300) return false;
  const raw = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const key = await webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  for (const versioned of headers['webhook-signature']!.split(' ')) {
    const [version, signature] = versioned.split(',');
    if (version !== 'v1') continue;
    if (await webcrypto.subtle.verify('HMAC', key, Buffer.from(signature!, 'base64'), content)) return true;
  }
  return false;
}

function verifyHashee(secret: string, headers: Record<string, string>, body: string): boolean {
  const input = [headers['x-hashee-timestamp'], headers['x-hashee-delivery-id'], body].join('.');
  const expected = createHmac('sha256', secret).update(input).digest();
  return timingSafeEqual(expected, Buffer.from(headers['x-hashee-signature']!, 'hex'));
}

describe('TR-5 signatures', () => {
  it('TR-5 an attempt carries all headers of both schemes', () => {
    expect(signDelivery(delivery)).toEqual({
      'x-hashee-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'x-hashee-timestamp': '1731200000',
      'x-hashee-delivery-id': delivery.deliveryId,
      'x-hashee-agent-id': delivery.agentId,
      'webhook-id': delivery.deliveryId,
      'webhook-timestamp': '1731200000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it.each([SECRET, makeSecret(), 'a secret of the owner, long enough to be one'])(
    'TR-5 both signatures hold under an independent computation, for %j',
    async (secret) => {
      const headers = signDelivery({ ...delivery, secrets: [secret] });
      expect(verifyHashee(secret, headers, delivery.body)).toBe(true);
      expect(await verifyStandard(secret, headers, delivery.body, delivery.timestamp)).toBe(true);
      expect(verifyHashee(`${secret}x`, headers, delivery.body)).toBe(false);
    },
  );

  it('TR-5 known answer', () => {
    const headers = signDelivery({ ...delivery, body: '{}' });
    expect(headers['x-hashee-signature']).toBe(KNOWN_HASHEE);
    expect(headers['webhook-signature']).toBe(KNOWN_STANDARD);
  });

  it('TR-5 attack: a tampered body, id or time breaks both signatures', async () => {
    const headers = signDelivery(delivery);
    const body = delivery.body.replace('ping', 'pong');
    expect(verifyHashee(SECRET, headers, body)).toBe(false);
    expect(await verifyStandard(SECRET, headers, body, delivery.timestamp)).toBe(false);
    const renamed = { ...headers, 'webhook-id': 'other', 'x-hashee-delivery-id': 'other' };
    expect(verifyHashee(SECRET, renamed, delivery.body)).toBe(false);
    expect(await verifyStandard(SECRET, renamed, delivery.body, delivery.timestamp)).toBe(false);
  });

  it('TR-5 attack: a replay with its old time is seen, and the time cannot be changed', async () => {
    const headers = signDelivery(delivery);
    const later = delivery.timestamp + 301;
    expect(await verifyStandard(SECRET, headers, delivery.body, later)).toBe(false);
    const redated = { ...headers, 'webhook-timestamp': String(later), 'x-hashee-timestamp': String(later) };
    expect(await verifyStandard(SECRET, redated, delivery.body, later)).toBe(false);
    expect(verifyHashee(SECRET, redated, delivery.body)).toBe(false);
  });

  it('TR-5 during a rotation both secrets verify the standard signature, the new one ours', async () => {
    const [fresh, old] = [makeSecret(), makeSecret()];
    const headers = signDelivery({ ...delivery, secrets: [fresh, old] });
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [fresh, old]) {
      expect(await verifyStandard(secret, headers, delivery.body, delivery.timestamp)).toBe(true);
    }
    expect([verifyHashee(fresh, headers, delivery.body), verifyHashee(old, headers, delivery.body)]).toEqual([
      true,
      false,
    ]);
  });
});
