import type { Manifest } from '@parley/documents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AGENT,
  CONVERSATION,
  EXECUTORS,
  finder,
  held,
  KEY,
  MANIFEST,
  makeApproval,
  makeCall,
  makeExecutor,
  makeState,
  NOW,
  RELATION,
} from '../../tests/guard-fixtures.ts';
import { type Call, decide, type GuardState, type Verdict } from './decide.ts';
import { verifyManifest } from './verified-manifest.ts';
import { type Window, windowKey } from './window.ts';

const DAY = 24 * 60 * 60 * 1000;
const LEVELS = ['low', 'medium', 'high'] as const;

function withScope(level: 'low' | 'medium' | 'high', id: string): Manifest {
  const [tool] = MANIFEST.tools;
  const [scope] = MANIFEST.permission_scopes;
  return {
    ...MANIFEST,
    tools: [{ ...tool!, name: 'the_tool', permission_scope: id }],
    permission_scopes: [{ ...scope!, id, sensitivity: level }],
  };
}

/** The parts of a verdict that the tables name. */
function brief(verdict: Verdict) {
  if (verdict.decision !== 'refuse') return { decision: verdict.decision, level: verdict.level };
  const { stage, status, reason } = verdict;
  return { stage, status, reason };
}

const openWindow = (change: Partial<Window> = {}): ReadonlyMap<string, Window> => {
  const window: Window = {
    agentId: AGENT,
    conversationId: CONVERSATION,
    tool: 'say_medium',
    scope: 'note:medium',
    digest: held().tools.get('say_medium')!.digest,
    epoch: 1,
    identityKey: KEY,
    reach: { kind: 'tool' },
    openedAt: NOW - 1_000,
    usedAt: NOW - 1_000,
    ...change,
  };
  return new Map([[windowKey(window), window]]);
};

describe('CG-1 the conversation', () => {
  it.each(['group', 'h2h'] as const)('CG-1 TC-8 refuses every tool call in a %s', (conversationKind) => {
    for (const level of LEVELS) {
      const verdict = decide(makeCall(level, { conversationKind }), makeState());
      expect(brief(verdict)).toEqual({
        stage: 'conversation',
        status: 'denied',
        reason: 'tool_not_supported_in_group',
      });
    }
  });

  it('CG-1 comes before everything else', () => {
    const nothing = makeState({ manifest: undefined, relation: undefined, findExecutor: () => undefined });
    expect(brief(decide(makeCall('low', { conversationKind: 'group', expiresAt: 0 }), nothing))).toMatchObject({
      stage: 'conversation',
    });
  });
});

describe('CG-2 the manifest', () => {
  const denied = { stage: 'declaration', status: 'denied', reason: 'tool_not_declared' };

  it('CG-2 undeclared tool: refused, after a newer manifest was looked for', () => {
    const verdict = decide(makeCall('low', { toolName: 'format_disk' }), makeState());
    expect(brief(verdict)).toEqual(denied);
    expect(verdict).toMatchObject({ stale: true });
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('CG-2 a tool called %j is not declared by accident', (name) => {
    expect(brief(decide(makeCall('low', { toolName: name }), makeState()))).toEqual(denied);
  });

  it('CG-2 refuses while no manifest is held, or another one was announced', () => {
    expect(brief(decide(makeCall('low'), makeState({ manifest: undefined })))).toEqual(denied);
    expect(brief(decide(makeCall('low'), makeState({ announcedHash: 'f'.repeat(64) })))).toEqual(denied);
    expect(brief(decide(makeCall('low'), makeState({ announcedHash: null })))).toEqual(denied);
    expect(brief(decide(makeCall('low'), makeState({ manifest: undefined, announcedHash: null })))).toEqual(denied);
  });

  it('CG-2 forge the manifest: one whose hash is not the announced one is not held', () => {
    expect(verifyManifest(MANIFEST, 'f'.repeat(64))).toBeUndefined();
    const forged = {
      ...MANIFEST,
      permission_scopes: MANIFEST.permission_scopes.map((s) => ({ ...s, sensitivity: 'low' })),
    };
    expect(verifyManifest(forged, held().hash)).toBeUndefined();
    expect(verifyManifest({ tools: [] }, held().hash)).toBeUndefined();
    expect(verifyManifest(null, held().hash)).toBeUndefined();
  });
});

describe('CG-3 the scope', () => {
  const notGranted = { stage: 'grant', status: 'denied', reason: 'scope_not_granted' };

  it('CG-3 name a weaker scope: refused although that one is granted', () => {
    const verdict = decide(makeCall('high', { permissionScope: 'note:low' }), makeState());
    expect(brief(verdict)).toEqual(notGranted);
  });

  it('CG-3 name a stronger scope: refused too', () => {
    expect(brief(decide(makeCall('low', { permissionScope: 'note:high' }), makeState()))).toEqual(notGranted);
  });

  it('CG-3 a scope that was never granted', () => {
    const relation = { ...RELATION, granted: new Map(), once: new Set<string>() };
    expect(brief(decide(makeCall('low'), makeState({ relation })))).toEqual(notGranted);
  });

  it('CG-3 TC-4 a scope that was granted once and taken back', () => {
    const relation = { ...RELATION, granted: new Map() };
    const verdict = decide(makeCall('low'), makeState({ relation }));
    expect(brief(verdict)).toEqual({ stage: 'grant', status: 'denied', reason: 'permission_revoked' });
  });

  it('CG-3 RL-9 a scope that waits for re-authorisation', () => {
    const relation = { ...RELATION, pending: new Set(['note:low']) };
    expect(brief(decide(makeCall('low'), makeState({ relation })))).toEqual(notGranted);
    expect(brief(decide(makeCall('medium'), makeState({ relation })))).toEqual({ decision: 'ask', level: 'medium' });
  });

  it('CG-3 no relation at all, or that of another conversation or agent', () => {
    expect(brief(decide(makeCall('low'), makeState({ relation: undefined })))).toEqual(notGranted);
    const elsewhere = { ...RELATION, conversationId: AGENT };
    expect(brief(decide(makeCall('low'), makeState({ relation: elsewhere })))).toEqual(notGranted);
    const others = { ...RELATION, agentId: CONVERSATION };
    expect(brief(decide(makeCall('low'), makeState({ relation: others })))).toEqual(notGranted);
  });

  it('EE-9 swap the keys of the agent: nothing runs until the user has confirmed', () => {
    const relation = { ...RELATION, identityKey: undefined };
    for (const level of LEVELS) expect(brief(decide(makeCall(level), makeState({ relation })))).toEqual(notGranted);
  });
});

describe('CG-4 the arguments', () => {
  it.each([
    ['missing', {}],
    ['of another type', { text: 1 }],
    ['too many', { text: 'a', extra: true }],
    ['too long', { text: 'a'.repeat(2_001) }],
  ])('CG-4 TC-5 arguments %s are invalid, and the agent is told where', (_, args) => {
    const verdict = decide(makeCall('low', { arguments: args }), makeState());
    expect(brief(verdict)).toEqual({ stage: 'arguments', status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' });
    expect(verdict).toMatchObject({ message: expect.stringMatching(/\w/) });
  });

  it('CG-4 comes before asking, CG-3 before it', () => {
    const bad = makeCall('high', { arguments: {} });
    expect(brief(decide(bad, makeState()))).toMatchObject({ stage: 'arguments' });
    const relation = { ...RELATION, granted: new Map() };
    expect(brief(decide(bad, makeState({ relation })))).toMatchObject({ stage: 'grant' });
  });
});

describe('CG-5 the executor', () => {
  it('CG-5 no executor: unavailable, before anyone is asked', () => {
    const verdict = decide(makeCall('high'), makeState({ findExecutor: () => undefined }));
    expect(brief(verdict)).toEqual({ stage: 'executor', status: 'error', reason: 'TOOL_UNAVAILABLE' });
  });

  it('CG-5 offer read_file under a harmless scope: the executor belongs to another one', () => {
    const findExecutor = finder([makeExecutor('say_low', 'filesystem:read')]);
    expect(brief(decide(makeCall('low'), makeState({ findExecutor })))).toMatchObject({ reason: 'TOOL_UNAVAILABLE' });
  });
});

describe('CG-6 the level', () => {
  it('CG-6 low runs, medium and high ask', () => {
    expect(LEVELS.map((level) => brief(decide(makeCall(level), makeState())))).toEqual([
      { decision: 'run', level: 'low' },
      { decision: 'ask', level: 'medium' },
      { decision: 'ask', level: 'high' },
    ]);
  });

  it('CG-6 disarm the prompt by a later manifest: the level of the grant stays', () => {
    const granted = new Map([...RELATION.granted, ['note:low', 'high' as const]]);
    const verdict = decide(makeCall('low'), makeState({ relation: { ...RELATION, granted } }));
    expect(brief(verdict)).toEqual({ decision: 'ask', level: 'high' });
  });

  it('CG-6 CM-11 declare a preset scope below its level: the preset stays', () => {
    const manifest = held(withScope('low', 'location:read'));
    const relation = { ...RELATION, granted: new Map([['location:read', 'low' as const]]) };
    const findExecutor = finder([makeExecutor('the_tool', 'location:read')]);
    const call = makeCall('low', { toolName: 'the_tool', permissionScope: 'location:read' });
    expect(brief(decide(call, makeState({ manifest, relation, findExecutor })))).toEqual({
      decision: 'ask',
      level: 'high',
    });
  });

  it('CG-6 the executor’s own sensitivity is a floor, and no ceiling', () => {
    const careful = finder([makeExecutor('say_low', 'note:low', { sensitivity: 'medium' })]);
    expect(brief(decide(makeCall('low'), makeState({ findExecutor: careful })))).toEqual({
      decision: 'ask',
      level: 'medium',
    });
    const careless = finder([makeExecutor('say_high', 'note:high', { sensitivity: 'low' })]);
    expect(brief(decide(makeCall('high'), makeState({ findExecutor: careless })))).toEqual({
      decision: 'ask',
      level: 'high',
    });
  });

  it('CG-6 property: the level is the highest of manifest, grant and executor', () => {
    const level = fc.constantFrom(...LEVELS);
    fc.assert(
      fc.property(level, level, level, (declared, granted, floor) => {
        const manifest = held(withScope(declared, 'a:b'));
        const relation = { ...RELATION, granted: new Map([['a:b', granted]]) };
        const findExecutor = finder([makeExecutor('the_tool', 'a:b', { sensitivity: floor })]);
        const call = makeCall('low', { toolName: 'the_tool', permissionScope: 'a:b' });
        const top = LEVELS[Math.max(...[declared, granted, floor].map((one) => LEVELS.indexOf(one)))]!;
        const verdict = decide(call, makeState({ manifest, relation, findExecutor }));
        expect(brief(verdict)).toEqual({ decision: top === 'low' ? 'run' : 'ask', level: top });
      }),
    );
  });

  it('CG-6 an always-deny rule refuses whatever level and scope a later manifest gives the tool', () => {
    const denials = new Set([`${AGENT}/say_high`, `${AGENT}/say_low`]);
    for (const level of ['high', 'low'] as const) {
      const verdict = decide(makeCall(level), makeState({ denials }));
      expect(brief(verdict)).toEqual({ stage: 'consent', status: 'denied', reason: 'user_refused' });
    }
    expect(brief(decide(makeCall('medium'), makeState({ denials })))).toMatchObject({ decision: 'ask' });
  });

  it('TC-2 after expires_at nothing is asked or run, approved or not', () => {
    for (const level of LEVELS) {
      const call = makeCall(level, { expiresAt: NOW });
      const state = makeState({ windows: openWindow(), approval: makeApproval(call) });
      expect(brief(decide(call, state))).toEqual({ stage: 'consent', status: 'denied', reason: 'user_timeout' });
      expect(decide(makeCall(level, { expiresAt: NOW + 1 }), makeState()).decision).not.toBe('refuse');
    }
  });

  it('CG-8 runs for the shorter of both times', () => {
    const timeout = (call: Call) => {
      const verdict = decide(call, makeState({ approval: makeApproval(call) }));
      return verdict.decision === 'run' ? verdict.timeoutMs : undefined;
    };
    expect(timeout(makeCall('high', { timeoutMs: 60_000 }))).toBe(2_000);
    expect(timeout(makeCall('high', { timeoutMs: 500 }))).toBe(500);
    expect(timeout(makeCall('low', { timeoutMs: 60_000 }))).toBe(10_000);
  });
});

describe('CG-6 silent windows', () => {
  const run = (windows: ReadonlyMap<string, Window>, state: Partial<GuardState> = {}) =>
    decide(makeCall('medium'), makeState({ windows, ...state })).decision;

  it('CG-6 is silent for 24 hours from the last use, and not a millisecond longer', () => {
    expect(decide(makeCall('medium'), makeState({ windows: openWindow() }))).toMatchObject({
      decision: 'run',
      by: 'window',
    });
    expect(run(openWindow({ usedAt: NOW - DAY + 1 }))).toBe('run');
    expect(run(openWindow({ usedAt: NOW - DAY }))).toBe('ask');
    expect(run(openWindow({ openedAt: NOW - 10 * DAY, usedAt: NOW - 1 }))).toBe('run');
  });

  it('CG-6 turn the clock back: the window does not live on', () => {
    expect(run(openWindow({ usedAt: NOW + 5 * 60_000 }))).toBe('ask');
  });

  it('CG-6 belongs to conversation, tool and scope', () => {
    expect(run(openWindow({ conversationId: AGENT }))).toBe('ask');
    expect(run(openWindow({ tool: 'say_high' }))).toBe('ask');
    expect(run(openWindow({ scope: 'note:high' }))).toBe('ask');
  });

  it('CG-6 ends by an edit of the tool or its scope, a new consent, a key change', () => {
    expect(run(openWindow({ digest: 'another' }))).toBe('ask');
    expect(run(openWindow(), { relation: { ...RELATION, epochs: new Map([['note:medium', 2]]) } })).toBe('ask');
    expect(run(openWindow(), { relation: { ...RELATION, identityKey: 'B'.repeat(43) } })).toBe('ask');
    const tools = MANIFEST.tools.map((tool) => ({ ...tool, description_fallback: 'Something else' }));
    expect(run(openWindow(), { manifest: held({ ...MANIFEST, tools }) })).toBe('ask');
    const agent_version = '1.0.1';
    expect(run(openWindow(), { manifest: held({ ...MANIFEST, agent_version }) })).toBe('run');
  });

  it('CG-6 never silences a high call', () => {
    const window = openWindow({ tool: 'say_high', scope: 'note:high', digest: held().tools.get('say_high')!.digest });
    expect(decide(makeCall('high'), makeState({ windows: window })).decision).toBe('ask');
    const granted = new Map([...RELATION.granted, ['note:medium', 'high' as const]]);
    expect(run(openWindow(), { relation: { ...RELATION, granted } })).toBe('ask');
  });
});

describe('CG-7 approvals', () => {
  const call = makeCall('high');
  const ask = (change: Parameters<typeof makeApproval>[1], state: Partial<GuardState> = {}) =>
    decide(call, makeState({ approval: makeApproval(call, change), ...state })).decision;

  it('CG-7 an approval of exactly this call lets it run', () => {
    const verdict = decide(call, makeState({ approval: makeApproval(call) }));
    expect(verdict).toMatchObject({ decision: 'run', by: 'prompt', level: 'high' });
  });

  it('CG-7 reuse an approval: another call, other arguments, another conversation, used or too late', () => {
    expect(ask({ callId: 'call-2' })).toBe('ask');
    expect(ask({ argumentsDigest: '0'.repeat(64) })).toBe('ask');
    expect(ask({ conversationId: AGENT })).toBe('ask');
    expect(ask({ used: true })).toBe('ask');
    expect(ask({ expiresAt: NOW })).toBe('ask');
    expect(ask({ level: 'medium' })).toBe('ask');
  });

  it('CG-15 CG-7 an approval is for the edge that was shown, and not for another', () => {
    const edge = { id: 'folder /notes', text: { en: 'notes', 'zh-CN': 'notes' } };
    expect(ask({ edge: edge.id }, { edge })).toBe('run');
    expect(ask({ edge: 'folder /taxes' }, { edge })).toBe('ask');
    expect(ask({}, { edge })).toBe('ask');
  });

  it('CG-7 a new manifest keeps the approval of an unchanged tool and scope, and of no other', () => {
    const renamed = held({ ...MANIFEST, agent_version: '2.0.0' });
    expect(ask({}, { manifest: renamed, announcedHash: renamed.hash })).toBe('run');
    const tools = MANIFEST.tools.map((tool) => ({ ...tool, description_fallback: 'Harmless' }));
    const changed = held({ ...MANIFEST, tools });
    expect(ask({}, { manifest: changed, announcedHash: changed.hash })).toBe('ask');
  });

  it('CG-7 an approval opens no other step: a revoked scope stays refused', () => {
    const relation = { ...RELATION, granted: new Map() };
    expect(ask({}, { relation })).toBe('refuse');
    expect(ask({}, { findExecutor: () => undefined })).toBe('refuse');
  });
});

describe('CG-3 CG-6 properties', () => {
  const anyScope = fc.constantFrom<string>('note:low', 'note:medium', 'note:high', 'other:scope');
  const anyCall = fc.record({
    conversationKind: fc.constantFrom('h2a' as const, 'group' as const, 'h2h' as const),
    toolName: fc.constantFrom('say_low', 'say_medium', 'say_high', 'undeclared'),
    permissionScope: anyScope,
    arguments: fc.constantFrom({ text: 'a' }, {}, { text: 1 }),
    expiresAt: fc.integer({ min: NOW - 2, max: NOW + 2 }),
    timeoutMs: fc.integer({ min: 1, max: 600_000 }),
    agentId: fc.constantFrom(AGENT, CONVERSATION),
    conversationId: fc.constantFrom(CONVERSATION, AGENT),
  });
  const scopes = fc.uniqueArray(anyScope);
  const anyState = fc.record({
    granted: scopes,
    once: scopes,
    pending: scopes,
    held: fc.boolean(),
    announced: fc.boolean(),
    key: fc.constantFrom(KEY, undefined),
    executors: fc.subarray([...EXECUTORS, makeExecutor('say_low', 'other:scope')]),
    window: fc.boolean(),
    approval: fc.constantFrom('none', 'good', 'used'),
    denied: fc.boolean(),
  });

  it('CG-3 never runs or asks without grant, manifest, executor, key or time; never runs high without approval', () => {
    fc.assert(
      fc.property(anyCall, anyState, (some, given) => {
        const call = makeCall('low', some);
        const granted = new Map(given.granted.map((id) => [id, 'low' as const]));
        const relation = {
          ...RELATION,
          granted,
          once: new Set(given.once),
          pending: new Set(given.pending),
          identityKey: given.key,
        };
        const state = makeState({
          relation,
          manifest: given.held ? held() : undefined,
          announcedHash: given.announced ? held().hash : 'f'.repeat(64),
          findExecutor: finder(given.executors),
          windows: given.window ? openWindow() : new Map(),
          denials: given.denied ? new Set([`${AGENT}/${call.toolName}`]) : new Set(),
          approval: given.approval === 'none' ? undefined : makeApproval(call, { used: given.approval === 'used' }),
        });
        const verdict = decide(call, state);
        expect(decide(call, state)).toEqual(verdict);
        if (verdict.decision === 'refuse') return;
        const scope = held().tools.get(call.toolName)!.scope.id;
        expect(call.conversationKind).toBe('h2a');
        expect(call.permissionScope).toBe(scope);
        expect(granted.has(scope) && !relation.pending.has(scope)).toBe(true);
        expect(given.held && given.announced && given.key !== undefined).toBe(true);
        expect(given.executors.some((one) => one.tool === call.toolName && one.scope === scope)).toBe(true);
        expect(call.arguments).toEqual({ text: 'a' });
        expect(state.now < call.expiresAt && call.agentId === AGENT && call.conversationId === CONVERSATION).toBe(true);
        expect(given.denied).toBe(false);
        if (verdict.decision === 'run' && verdict.level === 'high') expect(given.approval).toBe('good');
        if (verdict.decision === 'run' && verdict.level === 'medium') {
          expect(given.approval === 'good' || given.window).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
