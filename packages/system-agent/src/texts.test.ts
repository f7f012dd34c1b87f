import { describe, expect, it } from 'vitest';
import { parseIntent } from './intents.ts';
import { localeOf, TEXTS } from './texts.ts';

describe('SA-1 two languages', () => {
  it('SA-1 the same texts in both, and none of them in the other one', () => {
    const fill = (text: unknown) => (typeof text === 'function' ? text('X', 'Y') : JSON.stringify(text));
    expect(Object.keys(TEXTS['zh-CN'])).toEqual(Object.keys(TEXTS.en));
    for (const [key, text] of Object.entries(TEXTS.en)) expect(fill(text), key).not.toMatch(/\p{Script=Han}/u);
    for (const [key, text] of Object.entries(TEXTS['zh-CN'])) {
      if (key !== 'agent') expect(fill(text), key).toMatch(/\p{Script=Han}/u);
    }
  });

  it('SA-1 every example of the help is understood', () => {
    for (const { help } of Object.values(TEXTS)) {
      const examples = help.split('\n').filter((line) => line.startsWith('- '));
      expect(examples.map((line) => parseIntent(line.slice(2))?.kind)).toEqual([
        'update_manifest',
        'create_agent',
        'rotate_token',
        'set_webhook',
        'list_agents',
        'list_relations',
      ]);
      for (const line of examples) expect(localeOf(line)).toBe(localeOf(help));
    }
  });
});
