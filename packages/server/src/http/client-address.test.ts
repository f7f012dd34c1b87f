import { describe, expect, it } from 'vitest';
import { clientAddress, createProxyCheck } from './client-address.ts';

const isProxy = createProxyCheck(['10.0.0.2', 'fd00::/8']);
const find = (remoteAddress: string, forwarded?: string) =>
  clientAddress(
    { socket: { remoteAddress } as never, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } },
    isProxy,
  );

describe('OP-7 whose connection it is', () => {
  it('OP-7 is the address itself, unless a trusted proxy names another', () => {
    expect(find('192.0.2.1')).toBe('192.0.2.1');
    expect(find('::ffff:10.0.0.2', '192.0.2.1')).toBe('192.0.2.1');
    expect(find('fd00::1', '192.0.2.1, 10.0.0.2')).toBe('192.0.2.1');
    expect(find('10.0.0.2')).toBe('10.0.0.2');
  });

  it('OP-7 attack: a header of one who is no proxy, or what stands before the first stranger, is not believed', () => {
    expect(find('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
    expect(find('10.0.0.2', '198.51.100.7, 192.0.2.1')).toBe('192.0.2.1');
  });
});
