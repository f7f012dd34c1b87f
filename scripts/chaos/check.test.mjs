import { describe, expect, it } from 'vitest';
import { findFaults } from './check.mjs';

const ANN = { name: 'Ann', kind: 'human', id: 'ann' };
const BOT = { name: 'Bot', kind: 'agent', id: 'bot' };

/** Two messages of Ann and one of the bot, all as it should be; one PATCH. */
function makeRun() {
  const send = (key, party, seq, tick) => [
    key,
    {
      key,
      conversation: 'c',
      sender: { id: party.id },
      ciphertext: `sealed ${key}`,
      begun: tick,
      acked: tick + 1,
      ack: { message_id: `m${seq}`, conversation_seq: seq },
    },
  ];
  const message = (key, party, seq) => ({
    conversation_id: 'c',
    conversation_seq: seq,
    message_id: `m${seq}`,
    client_message_id: key,
    sender: { id: party.id },
    envelope: { ciphertext: `sealed ${key}` },
  });
  const handled = (key, seq) => ({ conversation: 'c', seq, key, message_id: `m${seq}`, ciphertext: `sealed ${key}` });
  return {
    sends: new Map([send('one', ANN, 1, 1), send('two', BOT, 2, 3), send('three', ANN, 3, 5)]),
    stored: [
      {
        conversation: 'c',
        lastSeq: 3,
        messages: [message('one', ANN, 1), message('two', BOT, 2), message('three', ANN, 3)],
      },
    ],
    handled: [
      { party: ANN, messages: [handled('two', 2)] },
      { party: BOT, messages: [handled('one', 1), handled('three', 3)] },
    ],
    patches: [{ key: 'a-1', version: 2, hash: 'h2' }],
    versions: [
      { version: 1, hash: 'h1' },
      { version: 2, hash: 'h2' },
    ],
    firstVersion: 1,
  };
}

/** The rules that are found broken after the change. */
function rulesAfter(change) {
  const run = makeRun();
  change(run);
  return [...new Set(findFaults(run).map(({ rule }) => rule))];
}

describe('the judge of the chaos run', () => {
  it('TR-3 finds nothing where nothing is wrong', () => {
    expect(findFaults(makeRun())).toEqual([]);
  });

  it.each([
    ['a lost message', ({ stored }) => stored[0].messages.pop()],
    ['a number that was passed over', ({ stored }) => Object.assign(stored[0].messages[2], { conversation_seq: 4 })],
    ['a last number that is wrong', ({ stored }) => Object.assign(stored[0], { lastSeq: 4 })],
    ['a message that nobody sent', ({ sends }) => sends.delete('two')],
    ['a message without an ack', ({ sends }) => Object.assign(sends.get('two'), { ack: undefined, acked: undefined })],
    ['changed content', ({ stored }) => Object.assign(stored[0].messages[1], { envelope: { ciphertext: 'other' } })],
    ['another number than the ack said', ({ sends }) => Object.assign(sends.get('two').ack, { conversation_seq: 1 })],
    ['a later message in an earlier place', ({ sends }) => Object.assign(sends.get('one'), { begun: 7, acked: 8 })],
    ['a retry that was stored again', ({ stored }) => stored[0].messages.push(stored[0].messages[0])],
  ])('TR-3 finds %s', (_, change) => {
    expect(rulesAfter(change)).toContain('TR-3');
  });

  it.each([
    ['that was not handled', ({ handled }) => handled[1].messages.pop()],
    ['that was handled twice', ({ handled }) => handled[1].messages.push(handled[1].messages[0])],
    ['that was handled too early', ({ handled }) => handled[1].messages.reverse()],
  ])('TR-2 finds a message %s', (_, change) => {
    expect(rulesAfter(change)).toEqual(['TR-2']);
  });

  it.each([
    ['a version too many', ({ versions }) => versions.push({ version: 3, hash: 'h3' })],
    ['a version that was passed over', ({ versions }) => Object.assign(versions[1], { version: 3 })],
    ['two PATCHes of one version', ({ patches }) => patches.push({ key: 'b-1', version: 2, hash: 'h2' })],
    ['a version with another manifest', ({ versions }) => Object.assign(versions[1], { hash: 'h9' })],
  ])('RL-4 finds %s', (_, change) => {
    expect(rulesAfter(change)).toEqual(['RL-4']);
  });
});
