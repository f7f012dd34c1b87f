import { describe, expect, it } from 'vitest';
import { toQuery, toVector } from './terms.ts';

describe('RL-5 words of documents and queries', () => {
  it('RL-5 splits names as people write them', () => {
    expect(toVector([['A', ['Weather_Bot', 'filesystem:read']]])).toBe(
      "'weather':1A 'bot':2A 'filesystem':11A 'read':12A",
    );
  });

  it('RL-5 cuts Chinese into pairs, and finds single characters by what begins with them', () => {
    expect(toVector([['D', ['天气预报']]])).toBe("'天气':1D '气预':2D '预报':3D '报':4D");
    expect(toQuery('天气预报')).toBe("'天气' & '气预' & '预报'");
    expect(toQuery('报')).toBe("'报':*");
  });

  it('RL-5 separates scripts that stand side by side, and folds width and case', () => {
    expect(toQuery('天气ＢＯＴ')).toBe("'天气' & 'bot':*");
    expect(toQuery('カレンダー')).toBe("'カレ' & 'レン' & 'ンダ' & 'ダー'");
  });

  it('RL-5 wants every word once, the longer ones as beginnings', () => {
    expect(toQuery('to Send send mail')).toBe("'to' & 'send':* & 'mail':*");
    expect(toQuery(' …!? ')).toBeUndefined();
  });

  it('RL-5 SQL and query operators and quotes in a search are no syntax', () => {
    expect(toQuery("a' | !b:* & (c) <-> \\ d\u0000")).toBe("'a' & 'b' & 'c' & 'd'");
  });

  it('RL-5 a flood of text gives a bounded vector', () => {
    const words = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(' ');
    expect(toVector([['A', [words]]]).split(' ')).toHaveLength(8_000);
    expect(toQuery(words)!.split(' & ')).toHaveLength(32);
    expect(toVector([['A', ['x'.repeat(10_000)]]])).toBe(`'${'x'.repeat(64)}':1A`);
  });
});
