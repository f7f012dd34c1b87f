import { describe, expect, it } from 'vitest';
import { accountDenials, type DenialStatement, MAX_DENIALS, readAccountDenials } from './denials.ts';
import { readAccountHeads } from './heads.ts';
import { encodePayload, readPayload } from './payload.ts';

const DENIAL: DenialStatement = {
  agent_id: '0197a0f0-0000-7000-8000-000000000001',
  tool_name: 'read_location',
  id: '0197a0f0-0000-7000-8000-000000000002',
  state: 'denied',
  at: 1_770_000_000_000,
};
const read = (denials: unknown) =>
  readAccountDenials({ type: 'system', code: 'account.denials', params: { denials: denials as never } });

describe('CG-6 what is always denied, between own devices', () => {
  it('CG-6 is a system message of its own', () => {
    const payload = accountDenials([DENIAL]);
    const { label, text } = encodePayload(payload);
    expect(label).toEqual({ content_type: 'system', msg_subtype: 'system' });
    const opened = readPayload(label, JSON.parse(text))!;
    expect(readAccountDenials(opened)).toEqual([DENIAL]);
    expect(readAccountHeads(opened)).toBeUndefined();
    expect(readAccountDenials({ type: 'text', text: 'hello' })).toBeUndefined();
    expect(readAccountDenials({ type: 'system', code: 'account.heads' })).toBeUndefined();
  });

  it('CG-6 attack: a statement that is not exactly of this form is left out, and so is more than one message may hold', () => {
    for (const bad of [
      { ...DENIAL, more: 1 },
      { ...DENIAL, agent_id: '../../x' },
      { ...DENIAL, tool_name: '../x' },
      { ...DENIAL, tool_name: 'a'.repeat(33) },
      { ...DENIAL, id: '../x' },
      { ...DENIAL, id: 1 },
      { ...DENIAL, state: 'allowed' },
      { ...DENIAL, state: undefined },
      { ...DENIAL, at: -1 },
      { ...DENIAL, at: 1e300 },
      null,
      'read_location',
    ]) {
      expect(read([bad, DENIAL])).toEqual([DENIAL]);
    }
    for (const bad of [undefined, {}, 'denials', Array(MAX_DENIALS + 1).fill(DENIAL)]) expect(read(bad)).toEqual([]);
  });
});
