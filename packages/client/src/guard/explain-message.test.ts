import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainMessage } from './explain-message.ts';

const BROWSER = new URL('../executors/browser/', import.meta.url);

describe('WC-20 what went wrong, in words for the person', () => {
  it('WC-20 everything that a browser’s tools say has words in both languages', () => {
    const sources = readdirSync(BROWSER).map((name) => readFileSync(new URL(name, BROWSER), 'utf8'));
    const said = sources.flatMap((source) =>
      [...source.matchAll(/(?<!en: )'([A-Z][^'\n]+\.)'/g)].map(([, text]) => text!),
    );
    expect(said.length).toBeGreaterThan(6);
    // Those with a Chinese twin beside them are notes of the prompt.
    expect(said.filter((message) => explainMessage({ message }, 'zh-CN') === undefined)).toEqual([]);
    expect(explainMessage({ message: 'The file has more than 48000 bytes, which an answer cannot carry.' }, 'en')).toBe(
      'It’s too large to be sent to the agent.',
    );
  });

  it('WC-20 so has what the device itself says, whatever kept it from answering', () => {
    const told = ['call-flow', 'runner', 'execute', 'response'].flatMap((name) => {
      const source = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
      return [...source.matchAll(/['`]([A-Z][^'`\n]+\.)['`]/g)].map(([, text]) =>
        text!.replaceAll(/\$\{[^}]+\}/g, '64'),
      );
    });
    expect(told.length).toBeGreaterThan(9);
    const untold = told.filter((message) => explainMessage({ message }, 'zh-CN') === undefined);
    // A refusal for a while has its own sentence (CG-14), and of its mistakes an agent reads more than the person.
    expect(untold).toEqual([
      expect.stringContaining('Call again after retry_after_ms'),
      expect.stringContaining('This call_id was used before'),
    ]);
  });

  it('WC-20, WC-71 what is wrong with the values is for the agent: no name of a field stands in a sentence for people', () => {
    const message = 'arguments/url: must be text';
    expect(explainMessage({ message, error_code: 'TOOL_INVALID_ARGUMENTS' }, 'en')).toBeUndefined();
    expect(explainMessage({ message: 'This is no web address.', error_code: 'TOOL_INVALID_ARGUMENTS' }, 'en')).toBe(
      'This isn’t a web address.',
    );
  });

  it('WC-20 speaks to the person, not about them', () => {
    const message = 'The person did not choose a file.';
    expect(explainMessage({ message }, 'en')).toBe('You didn’t choose a file.');
    expect(explainMessage({ message }, 'zh-CN')).toBe('您没有选择文件。');
  });

  it('WC-20 what a tool of someone else says is shown harmlessly, and not in the middle of another language', () => {
    expect(explainMessage({ message: 'The kettle\u202e is empty.' }, 'en')).not.toContain('\u202e');
    expect(explainMessage({ message: 'The kettle is empty.' }, 'zh-CN')).toBeUndefined();
    expect(explainMessage({}, 'en')).toBeUndefined();
  });
});
