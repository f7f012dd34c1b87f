import { describe, expect, it } from 'vitest';
import { accountHeads, addHeads, type Head, MAX_HEADS, readAccountHeads, takeHeads } from './heads.ts';
import { encodePayload, MAX_ARTIFACT_BYTES, type Payload, readPayload } from './payload.ts';

const ID = '0197a0f0-0000-7000-8000-000000000001';
const HASH = 'a'.repeat(64);
const HEADS: readonly Head[] = [
  { kind: 'ledger', id: ID, length: 2, head: HASH },
  { kind: 'group', id: ID, length: 1, head: HASH },
  { kind: 'devices', id: ID, length: 3, head: HASH, root: HASH, recoveries: 0 },
  { kind: 'manifest', id: ID, version: 4, hash: HASH },
];
const read = (heads: unknown) =>
  readAccountHeads({ type: 'system', code: 'account.heads', params: { heads: heads as never } });

describe('EE-23 heads between own devices', () => {
  it('EE-23 are a system message of their own', () => {
    const payload = accountHeads(HEADS);
    const { label, text } = encodePayload(payload);
    expect(label).toEqual({ content_type: 'system', msg_subtype: 'system' });
    expect(readAccountHeads(readPayload(label, JSON.parse(text))!)).toEqual(HEADS);
    expect(readAccountHeads({ type: 'text', text: 'hello' })).toBeUndefined();
    expect(readAccountHeads({ type: 'system', code: 'account.other' })).toBeUndefined();
  });

  it('EE-23 attack: what is not one of the known kinds, exactly, is left out', () => {
    const [good] = HEADS;
    for (const bad of [
      { ...good, more: 1 },
      { ...good, id: '../../x' },
      { ...good, length: 0 },
      { ...good, length: 1.5 },
      { ...good, length: 2 ** 40 },
      { ...good, head: 'A'.repeat(64) },
      { ...good, kind: 'other' },
      { ...HEADS[2], recoveries: -1 },
      null,
      'ledger',
    ]) {
      expect(read([bad, good])).toEqual([good]);
    }
    for (const bad of [undefined, {}, 'heads', Array(MAX_HEADS + 1).fill(good)]) expect(read(bad)).toEqual([]);
  });

  it('EE-23 in a message that is sent anyway, they are taken out before anyone reads it', () => {
    const payload: Payload = { type: 'text', text: 'hello' };
    const { label, text } = addHeads(encodePayload(payload), HEADS);
    const opened = readPayload(label, JSON.parse(text))!;
    expect(takeHeads(opened)).toEqual({ payload, heads: HEADS });
    expect(takeHeads(payload)).toEqual({ payload });
    expect(takeHeads({ ...payload, heads: 'x' } as Payload)).toEqual({ payload });
  });

  it('EE-23 they never make a message too large', () => {
    const artifact = { subtype: 'tool_response', call_id: 'c', status: 'ok', result: '' } as const;
    const room = MAX_ARTIFACT_BYTES - JSON.stringify({ type: 'artifact', artifact }).length;
    const encoded = encodePayload({ type: 'artifact', artifact: { ...artifact, result: 'x'.repeat(room - 10) } });
    expect(addHeads(encoded, HEADS)).toEqual(encoded);
  });
});
