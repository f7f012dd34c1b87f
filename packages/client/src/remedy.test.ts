import { DENIED_REASONS, ERROR_REASONS } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { RelationView, ScopeView } from './agents/relation-state.ts';
import { findRemedy, type RemedyState } from './remedy.ts';

const scope = (id: string, tools: string[], change: Partial<ScopeView> = {}): ScopeView => ({
  id,
  label: id,
  level: 'medium',
  granted: false,
  pending: false,
  unsigned: false,
  tools,
  ...change,
});
const relation = (change: Partial<RelationView> = {}): RelationView => ({
  relationId: 'relation',
  conversationId: 'alone',
  agentId: 'bot',
  agentName: 'Bot',
  status: 'active',
  scopes: [
    scope('network:http', ['fetch_url'], { granted: true }),
    scope('note:write', ['write_note'], { granted: true }),
  ],
  toolTexts: new Map(),
  flags: [],
  needsReview: false,
  needsSignature: false,
  manifestHash: 'hash',
  unconfirmed: [],
  agreedVersion: 1,
  currentVersion: 1,
  createdAt: '2026-01-01T00:00:00Z',
  ...change,
});
const NOW = 1_000_000;
const state = (change: Partial<RemedyState> = {}): RemedyState => ({
  relation: relation(),
  denials: [],
  questionStops: [],
  ability: 'ready',
  now: NOW,
  ...change,
});
const call = { tool_name: 'fetch_url', permission_scope: 'network:http' };
const where = { agentId: 'bot', conversationId: 'alone' };
const find = (reason: string, change?: Partial<RemedyState>, asked = call) =>
  findRemedy({ call: asked, ...where, response: { status: 'denied', reason } as never }, state(change));
const off = relation({ scopes: [scope('network:http', ['fetch_url'])] });
const REASONS = [...Object.keys({ ...DENIED_REASONS, ...ERROR_REASONS }), 'something_new'];

describe('WC-20 what mends a call', () => {
  it('WC-20 there is one thing for every reason, and none for what went well', () => {
    for (const reason of REASONS) expect(find(reason)).toMatchObject({ kind: expect.any(String) });
    expect(findRemedy({ call, ...where, response: { status: 'ok' } }, state())).toBeUndefined();
  });

  it('WC-20 nobody is sent to write where nobody reads: the agent was removed, or has another conversation since', () => {
    for (const reason of REASONS) {
      expect(find(reason, { relation: relation({ status: 'ended' }) })?.kind).toBe('add');
      const moved = relation({ conversationId: 'another' });
      expect(find(reason, { relation: moved })).toEqual({ ...where, kind: 'talk_alone', conversationId: 'another' });
    }
  });

  it('WC-20 what is in the way now comes before asking again, whatever was in the way then', () => {
    for (const reason of ['user_refused', 'user_timeout', 'tool_timeout', 'TOOL_PLATFORM_ERROR', 'tool_not_declared']) {
      expect(find(reason, { relation: off })?.kind).toBe('grant');
      expect(find(reason, { relation: relation({ needsReview: true }) })?.kind).toBe('review');
      expect(find(reason, { denials: [{ agentId: 'bot', toolName: 'fetch_url' }] })?.kind).toBe('lift_denial');
      expect(find(reason, { questionStops: [{ agentId: 'bot', until: NOW + 1 }] })?.kind).toBe('lift_stop');
      expect(find(reason)?.kind).toBe('ask_again');
    }
  });

  it.each(['scope_not_granted', 'permission_revoked'])(
    'WC-20 %s: giving it, and then asking the agent again',
    (reason) => {
      expect(find(reason, { relation: off })).toEqual({
        kind: 'grant',
        relationId: 'relation',
        scope: 'network:http',
      });
      expect(find(reason)).toEqual({ kind: 'ask_again' });
    },
  );

  it('WC-20 attack: a call names another permission than the tool’s own: giving it is not offered', () => {
    const wrong = { tool_name: 'fetch_url', permission_scope: 'location:read' };
    expect(find('scope_not_granted', {}, wrong)).toEqual({ kind: 'report' });
    expect(find('scope_not_granted', {}, { ...call, tool_name: 'unknown' })).toEqual({ kind: 'report' });
  });

  it('WC-20 what waits for the person comes first: no permission is given past it', () => {
    const kindOf = (change: Partial<RelationView>) => find('scope_not_granted', { relation: relation(change) })?.kind;
    expect(kindOf({ needsReview: true })).toBe('review');
    expect(kindOf({ needsSignature: true })).toBe('look');
    expect(kindOf({ problem: 'identity_changed', needsReview: true })).toBe('look');
    expect(kindOf({ manifestHash: null })).toBe('look');
    expect(kindOf({ status: 'suspended' })).toBe('look');
    expect(kindOf({ status: 'ended' })).toBe('add');
    expect(find('scope_not_granted', { relation: undefined })).toEqual({ kind: 'add', agentId: 'bot' });
  });

  it('WC-20 a no can be taken back: the rule, the hour of silence, or this one time', () => {
    const denials = [{ agentId: 'bot', toolName: 'fetch_url' }];
    const questionStops = [{ agentId: 'bot', until: NOW + 1 }];
    expect(find('user_refused', { denials, questionStops })?.kind).toBe('lift_denial');
    expect(find('user_refused', { questionStops })).toEqual({ kind: 'lift_stop', agentId: 'bot', until: NOW + 1 });
    expect(find('user_refused', { questionStops: [{ agentId: 'bot', until: NOW }] })?.kind).toBe('ask_again');
    expect(find('user_refused', { denials: [{ agentId: 'other', toolName: 'fetch_url' }] })?.kind).toBe('ask_again');
    expect(find('user_rejected')?.kind).toBe('ask_again');
  });

  it('WC-20 a tool that is not declared: the changes that wait, else the agent’s mistake', () => {
    const unknown = { ...call, tool_name: 'unknown' };
    expect(find('tool_not_declared', { relation: relation({ needsReview: true }) }, unknown)?.kind).toBe('review');
    expect(find('tool_not_declared', {}, unknown)?.kind).toBe('report');
    expect(find('tool_not_declared')?.kind).toBe('ask_again');
  });

  it('WC-20 from a group the way leads to the agent alone', () => {
    const failed = { call, agentId: 'bot', conversationId: 'group' };
    const response = { status: 'denied', reason: 'tool_not_supported_in_group' } as const;
    expect(findRemedy({ ...failed, response }, state())).toEqual({ ...where, kind: 'talk_alone' });
    expect(find('tool_not_supported_in_group', { relation: undefined })?.kind).toBe('add');
  });

  it('WC-20 what this device lacks is named by what it is', () => {
    const kindOf = (ability: RemedyState['ability']) => find('TOOL_UNAVAILABLE', { ability })?.kind;
    expect(kindOf('ask')).toBe('allow_here');
    expect(kindOf('blocked')).toBe('unblock_here');
    expect(kindOf('missing')).toBe('other_device');
    expect(kindOf('other_scope')).toBe('report');
    expect(kindOf('ready')).toBe('ask_again');
    expect(find('TOOL_PLATFORM_ERROR', { ability: 'blocked' })?.kind).toBe('unblock_here');
    expect(find('tool_timeout', { ability: 'blocked' })?.kind).toBe('ask_again');
  });
});
