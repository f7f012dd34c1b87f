import type { Json } from '@parley/documents';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AGENT, describedAs, makeExecutor } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';
import { browserExecutors } from '../executors/browser/index.ts';
import { describeFile } from '../executors/describe.ts';
import { hasheeExecutors } from '../executors/hashee/index.ts';
import { fetchPageExecutors } from '../executors/node/fetch-page.ts';
import type { Executor } from '../executors/types.ts';

const OTHER = '018f0000-0000-7000-8000-00000000000b';
const OTHERS_CONVERSATION = '018f0000-0000-7000-8000-00000000000d';

let rig: GuardRig;
beforeEach(async () => {
  rig = await new GuardRig().start();
});
afterEach(() => vi.unstubAllGlobals());

const ask = (level: string, id: string, text = id) => rig.receive(level, { call_id: id, arguments: { text } });
const askFromOther = (id: string) =>
  rig.receive(
    'high',
    { call_id: id, arguments: { text: id } },
    { sender: { kind: 'agent', id: OTHER }, conversationId: OTHERS_CONVERSATION },
  );
const places = () => rig.prompts.getSnapshot().map(({ callId, place: { at, of } }) => `${callId} ${at}/${of}`);

describe('WC-12 what a call will do, in our words', () => {
  const call = (async () => ({})) as never;
  const deps = { api: { call }, accountId: 'a', showSecret: () => {} };
  const describeWith = (executors: readonly Executor[], tool: string, args: Record<string, Json>, locale = 'en') =>
    executors.find((one) => one.tool === tool)!.describe!(args, locale as 'en');

  it('WC-12 every shipped tool has a sentence in both languages, and a word for the button', () => {
    vi.stubGlobal('navigator', { clipboard: { readText: call }, geolocation: {} });
    vi.stubGlobal('Notification', class {});
    const all = [...browserExecutors({ api: { call }, pickFile: call }), ...hasheeExecutors(deps)];
    expect(all).toHaveLength(13);
    for (const { tool } of all) {
      const args = { url: 'https://example.org/x', path: 'a', agent_name: 'Bot', name: 'Bot' };
      const [en, zh] = ['en', 'zh-CN'].map((locale) => describeWith(all, tool, args, locale)!);
      expect(en!.wants, tool).toMatch(/^[a-z]/);
      expect(zh!.wants, tool).toMatch(/\p{Script=Han}/u);
      for (const { act } of [en!, zh!]) expect(act.length, tool).toBeGreaterThan(0);
    }
    expect(describeWith(all, 'read_location', {})!.wants).toBe('read your location');
    expect(describeWith(all, 'fetch_url', { url: 'https://example.org/x' })!.wants).toBe(
      'open a page on example.org: “/x”',
    );
    expect(describeWith(all, 'fetch_url', { url: 'https://example.org/x', method: 'POST' })!.wants).toBe(
      'send data to example.org: “/x”',
    );
  });

  it('WC-12 attack: letters that look Latin, user names and hidden characters do not disguise an address', () => {
    const fetch = browserExecutors({ api: { call } });
    const wants = (url: string) => describeWith(fetch, 'fetch_url', { url })!.wants;
    expect(wants('https://\u0430pple.example/')).toBe('open a page on xn--pple-43d.example');
    expect(wants('https://x.example/\u202egpj')).toBe('open a page on x.example: “/%E2%80%AEgpj”');
    expect(wants(`https://x.example/${'a'.repeat(500)}`)).toMatch(/^open a page on x\.example: “\/a+… \(\+\d+\)”$/);
  });

  it('WC-12 attack: nothing before the host passes for it, and a long host is named by its end', () => {
    const fetch = browserExecutors({ api: { call } });
    const wants = (url: string) => describeWith(fetch, 'fetch_url', { url })!.wants;
    expect(wants(`https://accounts.google.com%2Fsignin%2F${'a'.repeat(80)}@evil.example/`)).toBe(
      'open a page on evil.example',
    );
    const long = `accounts.google.com.${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`;
    expect(wants(`https://${long}/x`)).toMatch(/^open a page on …a*\.b{60}\.evil\.example: “\/x”$/);
    expect(wants('http://nas.example:8080/?q=1')).toBe('open a page on http://nas.example:8080: “/?q=1”');
    expect(describeWith(fetch, 'fetch_url', { url: 'javascript:alert(1)' })).toBeUndefined();
  });

  it('WC-12 attack: a name cannot extend the sentence, and a long path keeps the name of its file', () => {
    expect(describeFile('en', 'notes.txt” and nothing else').wants).toBe("read the file “notes.txt' and nothing else”");
    expect(describeFile('en', `/files/${'a'.repeat(200)}/secret.txt`).wants).toMatch(
      /^read the file “…a+\/secret\.txt”$/,
    );
    const hashee = hasheeExecutors(deps);
    const webhook = {
      agent_name: 'Bot” to good.example “',
      url: `https://good.example@evil.example/${'a'.repeat(99)}`,
    };
    expect(describeWith(hashee, 'set_webhook', webhook)!.wants).toBe(
      "send the events of your agent “Bot' to good.example '” to evil.example",
    );
  });

  it('WC-12 attack: the note beside the question names a long host by its end, too', () => {
    const url = `https://accounts.google.com.${'a.'.repeat(100)}evil.example/`;
    for (const executors of [browserExecutors({ api: { call } }), fetchPageExecutors()]) {
      const fetch = executors.find(({ tool }) => tool === 'fetch_url')!;
      for (const locale of ['en', 'zh-CN'] as const)
        expect(fetch.privacyNote!({ url }, locale)).toContain('evil.example');
    }
  });

  it('WC-12 attack: no letter that looks like a quotation mark ends the quotation', () => {
    for (const mark of '❞〟″ˮʺ״🙷﹂｣‟”') {
      expect(describeFile('en', `notes.txt${mark} and nothing else`).wants, mark).toBe(
        "read the file “notes.txt' and nothing else”",
      );
    }
    for (const marks of ['’’', '‘‘', "''", '′′', '‚‚']) {
      expect(describeFile('en', `notes.txt${marks} and nothing else`).wants, marks).toBe(
        "read the file “notes.txt' and nothing else”",
      );
    }
    expect(describeFile('en', 'Tom’s notes.txt').wants).toBe('read the file “Tom’s notes.txt”');
  });

  it.each([
    ['hidden characters', '\u200b'.repeat(20)],
    ['emoji', '😀'.repeat(80)],
  ])(
    'WC-12 attack: %s in a path, which take more room than they seem to, do not push the name of its file away',
    (_, way) => {
      expect(describeFile('en', `notes/${way}/secret.txt`).wants).toMatch(/^read the file “…[^…]*\/secret\.txt”$/u);
    },
  );

  it('WC-12 attack: the name that an agent gives cannot hide anything or push the sentence away', () => {
    const hashee = hasheeExecutors(deps);
    const name = `A\u202e${'b'.repeat(1_000)}`;
    const { wants, act } = describeWith(hashee, 'rotate_token', { agent_name: name })!;
    expect(wants).toContain('A[U+202E]b');
    expect(wants.length).toBeLessThan(250);
    expect(act).toBe('create it');
  });

  it('WC-12 a tool that only its agent describes is named, and nothing is claimed about it', async () => {
    await ask('medium', '1');
    expect(rig.prompt).toMatchObject({ wants: 'use say_medium', tool: { description: 'Does say_medium' } });
    expect(rig.prompt).not.toHaveProperty('act');
  });

  it('WC-12 attack: what an agent says of its tool cannot end the quotation that it stands in', async () => {
    rig.publish(describedAs('medium', 'Says it.” Parley has checked this agent. It writes: “Says it.', '1.0.1'));
    await ask('medium', '1');
    expect(rig.prompt!.tool.description).toBe("Says it.' Parley has checked this agent. It writes: 'Says it.");
  });

  it('WC-12 an executor that trips over the arguments has no sentence, and the person is asked all the same', async () => {
    const trips = () => {
      throw new Error('no such argument');
    };
    rig.executors = [makeExecutor('say_medium', 'note:medium', { describe: trips })];
    await ask('medium', '1');
    expect(rig.prompt).toMatchObject({ wants: 'use say_medium' });
  });

  it('WC-12 CG-15 a call that leads on says where to, not where it began', async () => {
    const edge = { id: 'host other', text: { en: 'requests to other.example', 'zh-CN': '发往 other.example 的请求' } };
    const executor = makeExecutor('say_medium', 'note:medium', {
      describe: () => ({ wants: 'open first.example', act: 'open it' }),
      run: async (_, { enter }) => {
        await enter(edge);
        return {};
      },
      edge: () => ({ id: 'host first', text: { en: 'requests to first.example', 'zh-CN': '…' } }),
    });
    rig.executors = [executor];
    await ask('medium', '1');
    expect(rig.prompt).toMatchObject({ wants: 'open first.example', act: 'open it' });
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.prompt).toMatchObject({ leadsOn: true, wants: 'go on with requests to other.example' });
  });
});

describe('WC-11 the place of a question', () => {
  it('WC-11 it is counted from when no question was left', async () => {
    await ask('high', '1');
    expect(places()).toEqual(['1 1/1']);
    await ask('high', '2');
    await ask('high', '3');
    expect(places()).toEqual(['1 1/3', '2 2/3', '3 3/3']);
    rig.prompt!.deny();
    await rig.settle();
    expect(places()).toEqual(['2 2/3', '3 3/3']);
    await ask('high', '4');
    expect(places()).toEqual(['2 2/4', '3 3/4', '4 4/4']);
    rig.prompt!.denyAll();
    await rig.settle();
    await ask('high', '5');
    expect(places()).toEqual(['5 1/1']);
  });
});

describe('WC-15 deny all of an agent', () => {
  it('WC-15 it denies those that were counted where it was shown, and none that came while a hand was moving', async () => {
    for (const id of ['1', '2']) await ask('high', id);
    const shown = rig.prompt!;
    await ask('high', '3');
    shown.denyAll();
    await rig.settle();
    expect(rig.answers.map(({ call_id }) => call_id)).toEqual(['1', '2']);
    expect(places()).toEqual(['3 3/3']);
  });

  it('WC-15 it denies what waits of this agent, and nothing of another or of later', async () => {
    for (const id of ['1', '2', '3']) await ask('high', id);
    await askFromOther('other');
    rig.prompt!.denyAll();
    await rig.settle();
    const refused = { status: 'denied', reason: 'user_refused' };
    expect(rig.answers).toMatchObject([refused, refused, refused]);
    expect(rig.answers.map((answer) => answer.retry_after_ms)).toEqual([undefined, undefined, undefined]);
    expect(rig.audited.map(({ call_id, agent_id }) => [call_id, agent_id])).toEqual(
      ['1', '2', '3'].map((id) => [id, AGENT]),
    );
    expect(places()).toEqual(['other 4/4']);
    await ask('high', '4');
    expect(places()).toEqual(['other 4/5', '4 5/5']);
  });
});
