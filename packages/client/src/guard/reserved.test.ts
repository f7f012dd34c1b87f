import { hashManifest, type Json, type Manifest } from '@parley/documents';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { AGENT, held, MANIFEST, makeCall, makeExecutor, makeState } from '../../tests/guard-fixtures.ts';
import { decide } from './decide.ts';
import { verifyManifest } from './verified-manifest.ts';

const RESERVED: Manifest = {
  ...MANIFEST,
  permission_scopes: [
    ...MANIFEST.permission_scopes,
    { id: 'hashee:tokens', label_i18n_key: 'x', label_fallback: 'x', sensitivity: 'low' },
  ],
  tools: [
    ...MANIFEST.tools,
    {
      name: 'rotate_token',
      description_i18n_key: 'x',
      input_schema: { type: 'object', additionalProperties: false },
      permission_scope: 'hashee:tokens',
    },
  ],
};
const HASH = hashManifest(RESERVED as unknown as Json);

describe('CM-10 reserved scopes on the device', () => {
  it('CM-10 attack: a server that lets another agent declare them is not believed', () => {
    expect(verifyManifest(RESERVED, HASH, AGENT)).toBeUndefined();
    expect(verifyManifest(RESERVED, HASH)).toBeUndefined();
    expect(verifyManifest(RESERVED, HASH, SYSTEM_AGENT_ID)?.tools.has('rotate_token')).toBe(true);
  });

  it('CG-5 attack: an executor of one agent is not there for another, whatever manifest it got accepted', () => {
    const call = makeCall('low');
    const run = (agentId: string) =>
      decide(call, makeState({ findExecutor: () => makeExecutor('say_low', 'note:low', { agentId }) }));
    expect(run(SYSTEM_AGENT_ID)).toMatchObject({ decision: 'refuse', stage: 'executor', reason: 'TOOL_UNAVAILABLE' });
    expect(run(call.agentId)).toMatchObject({ decision: 'run' });
    expect(held().hash).not.toBe(HASH);
  });
});
