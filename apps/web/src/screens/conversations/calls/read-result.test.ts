import { describe, expect, it } from 'vitest';
import { readResult, readTitle } from './read-result.ts';

describe('WC-22 what a tool gave, for people', () => {
  it('WC-22 names places, pages, texts, files and what was shown', () => {
    expect(readResult({ latitude: 1, longitude: 2, accuracy: 30 })).toEqual({
      kind: 'place',
      latitude: 1,
      longitude: 2,
      accuracy: 30,
    });
    expect(readResult({ status_code: 200, body: 'x', headers: {} })).toEqual({
      kind: 'page',
      status: 200,
      body: 'x',
      truncated: false,
    });
    expect(readResult({ content: 'höh' })).toEqual({ kind: 'text', text: 'höh', bytes: 4 });
    expect(readResult({ content: 'aGVsbG8=', encoding: 'base64' })).toEqual({ kind: 'file', bytes: 5 });
    expect(readResult({ shown: true })).toEqual({ kind: 'shown' });
    expect(readResult('plain')).toMatchObject({ kind: 'text', text: 'plain' });
    expect([readResult(null), readResult(undefined)]).toEqual([{ kind: 'nothing' }, { kind: 'nothing' }]);
  });

  it('WC-22 what has more in it than a person would be told is shown as it is', () => {
    for (const result of [
      { content: 'x', secret: 'y' },
      { latitude: 1, longitude: 2, name: 'home' },
      { shown: true, also: 1 },
      { latitude: '1', longitude: 2 },
      [1],
      7,
    ])
      expect(readResult(result)).toEqual({ kind: 'other' });
  });

  it('WC-22 reads the title of a page, and nothing else of it', () => {
    expect(readTitle('<html><title lang="en">Fish &amp;\n chips &#39;n&#x27; more</title>')).toBe(
      "Fish & chips 'n' more",
    );
    expect(readTitle('<titles>no</titles>')).toBe('');
    expect(readTitle('<title>&#99999999;&unknown;&#0;</title>')).toBe('&#99999999;&unknown;&#0;');
    expect(readTitle(`${'<title '.repeat(9_000)}`)).toBe('');
  });
});
