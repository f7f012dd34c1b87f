import { describe, expect, it } from 'vitest';
import { KNOWN_ANSWERS, makeKnownAnswer, pathOf } from '../tests/known-answers.ts';
import { browserCrypto } from './provider/browser.ts';
import { nodeCrypto } from './provider/node.ts';

// What is published in vectors/. A change here is a change of the wire: `vitest -u` writes the files anew, and
// `npm run vectors:check` must find them right with its own implementation.

describe.each([
  ['Node', nodeCrypto],
  ['the browser', browserCrypto],
])('known answers of the provider for %s', (_, crypto) => {
  it.each(KNOWN_ANSWERS)('EE-13 %s', async (name) => {
    await expect(makeKnownAnswer(name, crypto)).toMatchFileSnapshot(`../../../vectors/${pathOf(name)}`);
  });
});
