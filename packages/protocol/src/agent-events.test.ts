import { describe, expect, it } from 'vitest';
import { AGENT_EVENTS, readAgentEvent } from './agent-events.ts';

const told = { event_id: 7, at: '2026-01-02T03:04:05.000Z' };
const id = '0199a5b0-0000-7000-8000-000000000001';

describe('HS-12 events around an agent are read', () => {
  it('takes what it knows, with fields it does not know yet', () => {
    const event = { ...told, type: 'token.revoked', token_id: id, more: 1 };
    expect(readAgentEvent(event)).toEqual(event);
    expect(readAgentEvent({ ...told, event_id: null, type: 'message.refused', count: 2 })).toBeDefined();
  });

  it.each([
    ['no object', null],
    ['a text', 'token.revoked'],
    ['no type', told],
    ['a type of a later version', { ...told, type: 'weather.changed' }],
    ['a name that every object has', { ...told, type: 'constructor' }],
    ['a field of the wrong kind', { ...told, type: 'message.refused', count: '2' }],
    ['a missing field', { ...told, type: 'token.revoked' }],
    ['a number before the first', { ...told, event_id: 0, type: 'agent.resumed' }],
    ['no time', { event_id: 1, type: 'agent.resumed' }],
    ['a subtype nobody sends', { ...told, type: 'message.relayed', direction: 'to_agent', msg_subtype: 'x', count: 1 }],
  ])('passes over %s', (_name, value) => {
    expect(readAgentEvent(value)).toBeUndefined();
  });

  it('attack: no event has a field for a person, a conversation or what was said', () => {
    const fields = new Set(Object.values(AGENT_EVENTS).flatMap((properties) => Object.keys(properties)));
    expect(
      [...fields].filter((name) => /user|account|person|name|email|conversation|message|envelope|text|url/.test(name)),
    ).toEqual([]);
  });
});
