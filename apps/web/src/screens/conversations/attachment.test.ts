import { expect, it } from 'vitest';
import { toBlob, toBytes } from './attachment.ts';

it.each(['A', 'A==', 'AAA==', 'AAAAA', '=', '=='])(
  'WC-31 attack: a file whose bytes are no base64 does not stop the page: %s',
  async (data) => {
    expect(toBytes(data)).toBeInstanceOf(Uint8Array);
    expect(toBlob(data, 'image/png').type).toBe('image/png');
  },
);

it.each([
  ['', ''],
  ['aGk=', 'hi'],
  ['aGk', 'hi'],
  ['aGkh', 'hi!'],
  ['aA==', 'h'],
])('WC-31 the bytes of a file: %s', async (data, text) => {
  expect(await toBlob(data, 'text/plain').text()).toBe(text);
});
