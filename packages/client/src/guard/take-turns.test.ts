import { describe, expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

const ask = (text: string) => [...text].map((agentId, index) => ({ agentId, name: `${agentId}${index}` }));
const order = (text: string, lastShown: Record<string, number> = {}) =>
  takeTurns(ask(text), new Map(Object.entries(lastShown)))
    .map(({ agentId }) => agentId)
    .join('');

describe('CG-14 agents take turns', () => {
  it('CG-14 one of each, in the order they came; each agent’s own stay in their order', () => {
    expect(order('')).toBe('');
    expect(order('aaaabbc')).toBe('abcabaa');
    expect(takeTurns(ask('aba'), new Map()).map(({ name }) => name)).toEqual(['a0', 'b1', 'a2']);
  });

  it('CG-14 who was shown last comes last, who never was comes first', () => {
    expect(order('aabb', { a: 1 })).toBe('baba');
    expect(order('aabbc', { a: 2, b: 1 })).toBe('cbaba');
  });
});
