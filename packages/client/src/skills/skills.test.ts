import { createApi } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { invokeSkill } from './invoke.ts';
import { addProgress, fractionOf, NO_PROGRESS, type SkillEvent, type SkillProgress } from './progress.ts';

const state = (more: Partial<SkillEvent>): SkillEvent => ({ type: 'state', after_ms: 1, status: 'running', ...more });
const RETRY: SkillEvent = {
  type: 'retry',
  after_ms: 2,
  attempt: 1,
  max_attempts: 3,
  delay_ms: 500,
  code: 'RATE_LIMITED',
};

/** A device of someone who is signed in, at a server that tells these lines. */
function deviceOf(lines: readonly unknown[]) {
  const requests: Request[] = [];
  const api = createApi({
    baseUrl: 'http://server.test',
    credentials: { kind: 'session', accessToken: 'access' },
    platform: {
      fetch: async (input, init) => {
        requests.push(new Request(input, init));
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        return new Response(text, { headers: { 'content-type': 'application/x-ndjson' } });
      },
      now: () => new Date(0),
      setTimer: () => () => {},
    },
  });
  return { api, requests };
}

describe('SI-1 a skill is invoked through the server, and watched', () => {
  it('SI-1 tells how far it is at every step, then the reply', async () => {
    const reply = { ok: true, output: 'bonjour', events: [] };
    const steps = [state({ status: 'accepted' }), RETRY, state({ progress: 40, message: 'almost' })];
    const { api, requests } = deviceOf([...steps.map((event) => ({ event })), { reply }]);
    const seen: SkillProgress[] = [];
    const call = { skillId: 'org.a.b', body: { inputs: { text: 'hi' } }, locale: 'zh-CN' as const };
    expect(await invokeSkill(api, call, { onProgress: (progress) => seen.push(progress) })).toEqual(reply);
    expect(seen).toEqual([
      { status: 'accepted', events: steps.slice(0, 1) },
      { status: 'accepted', retry: RETRY, events: steps.slice(0, 2) },
      { status: 'running', fraction: 0.4, message: 'almost', events: steps },
    ]);
    expect(requests[0]!.url).toBe('http://server.test/skills/org.a.b/invoke');
    expect(requests[0]!.headers.get('accept-language')).toBe('zh-CN');
    expect(await requests[0]!.json()).toEqual({ inputs: { text: 'hi' } });
  });

  it('SI-1 memory attack: of endless events the newest are kept', () => {
    let progress = NO_PROGRESS;
    for (let count = 0; count < 1_000; count++) progress = addProgress(progress, state({ after_ms: count }));
    expect(progress.events).toHaveLength(50);
    expect(progress.events.at(-1)).toMatchObject({ after_ms: 999 });
  });

  it('SI-1 a fraction is one, whatever a provider counts to', () => {
    const numbers = [0, 0.5, 1, 50, 100, -1, 101, 1e300, undefined];
    const events = numbers.map((progress) => (progress === undefined ? state({}) : state({ progress })));
    const none = undefined;
    expect(events.map(fractionOf)).toEqual([0, 0.5, 1, 0.5, 1, none, none, none, none]);
  });

  it('SI-1 hostile server: what its contract does not allow is not shown', async () => {
    const { api } = deviceOf([{ event: { ...RETRY, code: 'x'.repeat(1_000) } }]);
    const seen: unknown[] = [];
    const call = { skillId: 'org.a.b', body: { inputs: {} }, locale: 'en' as const };
    const invoked = invokeSkill(api, call, { onProgress: (progress) => seen.push(progress) });
    await expect(invoked).rejects.toMatchObject({ code: 'REPLY_INVALID' });
    expect(seen).toEqual([]);
  });
});
