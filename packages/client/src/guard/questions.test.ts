import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, makeExecutor } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHER = '018f0000-0000-7000-8000-00000000000b';
const OTHERS_CONVERSATION = '018f0000-0000-7000-8000-00000000000d';
const YEAR_9999 = '9999-12-31T23:59:59Z';

let rig: GuardRig;
beforeEach(async () => {
  rig = await new GuardRig().start();
});

/** Each call differs: one yes must not settle them all. */
const ask = (level: string, id: string) =>
  rig.receive(level, { call_id: id, arguments: { text: id }, expires_at: YEAR_9999 });
const askFromOther = (id: string) =>
  rig.receive(
    'medium',
    { call_id: id, arguments: { text: id } },
    { sender: { kind: 'agent', id: OTHER }, conversationId: OTHERS_CONVERSATION },
  );
const queued = () => rig.prompts.getSnapshot().map(({ callId }) => callId);
const times = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('CG-14 a flood of questions', () => {
  it('CG-14 TC-2 attack: expires_at in the year 9999, or a message from then, waits for fifteen minutes and no longer', async () => {
    await ask('medium', 'a');
    await rig.receive('medium', { call_id: 'b', arguments: { text: 'b' } }, { createdAt: YEAR_9999 });
    const end = rig.clock.now().getTime() + 15 * MINUTE;
    expect(rig.prompts.getSnapshot().map(({ expiresAt }) => expiresAt)).toEqual([end, end]);
    await rig.advance(15 * MINUTE - 1);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers.map(({ reason }) => reason)).toEqual(['user_timeout', 'user_timeout']);
  });

  it('CG-14 TC-2 attack: a message from no time at all waits for no longer than that either', async () => {
    await rig.receive('medium', {}, { createdAt: '2026-99-99T99:99:99.999Z' });
    expect(rig.prompt).toMatchObject({ expiresAt: rig.clock.now().getTime() + 5 * MINUTE });
    await rig.advance(5 * MINUTE);
    expect(rig.answers).toMatchObject([{ reason: 'user_timeout' }]);
  });

  it('CG-14 TC-2 a clock that is put back does not let a question wait for longer', async () => {
    await ask('medium', 'a');
    rig.clock.putBack(HOUR);
    await rig.advance(15 * MINUTE - 1);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers).toMatchObject([{ reason: 'user_timeout' }]);
  });

  it('CG-14 a call that an earlier version kept until the year 9999 is bounded at the next start', async () => {
    await ask('medium', 'a');
    const [[key, text]] = (await rig.store.list('client/call/')) as [[string, string]];
    const kept = { ...JSON.parse(text), expiresAt: Date.parse(YEAR_9999) };
    await rig.store.write(new Map([[key, JSON.stringify(kept)]]));
    const again = await new GuardRig(rig.store).start();
    await again.runner.resume();
    await again.settle();
    expect(again.prompt!.expiresAt).toBe(again.clock.now().getTime() + 15 * MINUTE);
  });

  it('CG-14 attack: 80 questions at once: ten wait, the others are told when to come again, and another agent comes second', async () => {
    for (const id of times(80)) await ask('medium', `${id}`);
    await askFromOther('other');
    expect(queued()).toEqual(['1', 'other', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(rig.answers).toHaveLength(70);
    expect(rig.audited).toHaveLength(70);
    expect(rig.answers[0]).toMatchObject({
      call_id: '11',
      status: 'denied',
      reason: 'user_timeout',
      retry_after_ms: MINUTE,
    });
    rig.prompt!.deny();
    await rig.settle();
    await ask('medium', 'in the free place');
    expect(queued()).toHaveLength(11);
    expect(rig.answers).toHaveLength(71);
  });

  it('CG-14 a place is free when the first question expires: retry_after_ms says so', async () => {
    const expires_at = new Date(rig.clock.now().getTime() + 20_000).toISOString();
    for (const id of times(11)) {
      await rig.receive('medium', { call_id: `${id}`, arguments: { text: `${id}` }, expires_at });
    }
    expect(rig.answers).toMatchObject([{ reason: 'user_timeout', retry_after_ms: 20_000 }]);
  });

  it('CG-14 attack: questions that live too short to be read are not asked, one after the other', async () => {
    const short = (id: string, ms: number) => {
      const expires_at = new Date(rig.clock.now().getTime() + ms).toISOString();
      return rig.receive('medium', { call_id: id, arguments: { text: id }, expires_at });
    };
    const late = { status: 'denied', reason: 'user_timeout', retry_after_ms: 5_000 };
    for (const id of times(60)) await short(`short ${id}`, 4_999);
    expect(rig.answers).toHaveLength(60);
    expect(rig.answers[0]).toMatchObject(late);
    // Each would be shown for a moment, after the one before.
    for (const at of times(9)) await short(`${at}`, 6_000 + at * 400);
    expect(queued()[0]).toBe('1');
    await rig.advance(6_400);
    expect(queued()).toEqual([]);
    expect(rig.answers.slice(60)).toMatchObject([{ reason: 'user_timeout' }, ...Array(8).fill(late)]);
  });

  it('CG-14 agents take turns, and the question on the screen stays where it is', async () => {
    for (const id of ['a1', 'a2', 'a3']) await ask('high', id);
    const { id } = rig.prompt!;
    rig.prompt!.shown();
    for (const id of ['b1', 'b2']) await askFromOther(id);
    expect(rig.prompt).toMatchObject({ id, callId: 'a1' });
    expect(queued()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    rig.prompt!.deny();
    await rig.settle();
    await ask('high', 'a4');
    expect(queued()).toEqual(['b1', 'a2', 'b2', 'a3', 'a4']);
  });
});

describe('CG-14 stop asking for an hour', () => {
  it.each(['medium', 'high'])(
    'CG-14 %s: offered with the third question within a minute, in every open one',
    async (level) => {
      await ask(level, '1');
      await rig.advance(MINUTE);
      await ask(level, '2');
      await ask(level, '3');
      expect(rig.prompts.getSnapshot().map(({ canStopAsking }) => canStopAsking)).toEqual([false, false, false]);
      await ask(level, '4');
      await askFromOther('other');
      const offered = rig.prompts.getSnapshot().map(({ callId, canStopAsking }) => [callId, canStopAsking]);
      expect(offered).toEqual([
        ['1', true],
        ['other', false],
        ['2', true],
        ['3', true],
        ['4', true],
      ]);
    },
  );

  it('CG-14 it denies what waits and what comes, with the time that is left; what needs no question still runs', async () => {
    for (const id of ['1', '2', '3']) await ask('medium', id);
    await askFromOther('other');
    rig.prompt!.stopAsking();
    await rig.settle();
    expect(queued()).toEqual(['other']);
    const refused = { status: 'denied', reason: 'user_refused', retry_after_ms: HOUR };
    expect(rig.answers).toMatchObject([refused, refused, refused]);
    await rig.advance(MINUTE);
    await ask('high', '4');
    expect(rig.answers[3]).toMatchObject({ ...refused, retry_after_ms: HOUR - MINUTE });
    expect(rig.audited.slice(3)).toMatchObject([{ call_id: '4', status: 'denied', reason: 'user_refused' }]);
    await ask('low', '5');
    expect(rig.answers[4]).toMatchObject({ status: 'ok' });
  });

  it('CG-14 a silent window goes on meanwhile', async () => {
    await ask('medium', '1');
    rig.prompt!.allow();
    await rig.settle();
    await rig.permissions.stopAsking(AGENT, rig.clock.now().getTime());
    await ask('medium', '2');
    expect(rig.answers).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it('CG-14 it outlives the program, ends after an hour, and can be lifted before', async () => {
    await rig.permissions.stopAsking(AGENT, rig.clock.now().getTime());
    const again = await new GuardRig(rig.store).start();
    await again.receive('high');
    expect(again.answers).toMatchObject([{ reason: 'user_refused', retry_after_ms: HOUR }]);
    await again.permissions.askAgain(AGENT);
    await again.receive('high', { call_id: 'call-2' });
    expect(again.prompt).toMatchObject({ callId: 'call-2' });
    expect(await rig.store.list('client/question-stop/')).toEqual([]);
    await rig.advance(HOUR);
    await ask('medium', 'later');
    expect(rig.prompt).toMatchObject({ callId: 'later' });
  });

  it('CG-14 EE-25 an ended stop stops nothing, and is removed when the clock is known to be right', async () => {
    await rig.permissions.stopAsking(AGENT, rig.clock.now().getTime());
    const later = new GuardRig(rig.store);
    later.clock.advance(HOUR);
    await later.start();
    later.executors = [makeExecutor('say_medium', 'note:medium')];
    await later.receive('medium');
    expect(later.prompt).toBeDefined();
    await later.permissions.prune(later.clock.now());
    expect(later.permissions.getSnapshot().questionStops.size).toBe(0);
    expect(await rig.store.list('client/question-stop/')).toEqual([]);
  });

  it('CG-14 TC-3 EE-25 attack: a clock that is put back does not prolong it, and no answer is too large to be sent', async () => {
    const DAY = 24 * HOUR;
    await rig.permissions.stopAsking(AGENT, rig.clock.now().getTime() + 2 * DAY);
    await ask('medium', '1');
    expect(rig.prompt).toMatchObject({ callId: '1' });
    await rig.permissions.stopAsking(AGENT, rig.clock.now().getTime() + 30_000);
    await ask('medium', '2');
    expect(rig.answers).toMatchObject([{ call_id: '2', reason: 'user_refused', retry_after_ms: HOUR }]);
  });

  it('CG-6 always deny stays with high', async () => {
    rig.executors = [makeExecutor('say_high', 'note:high'), makeExecutor('say_medium', 'note:medium')];
    await ask('high', '1');
    await ask('medium', '2');
    expect(rig.prompts.getSnapshot().map(({ canAlwaysDeny }) => canAlwaysDeny)).toEqual([true, false]);
  });
});
