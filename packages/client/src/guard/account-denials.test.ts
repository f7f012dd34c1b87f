import { createMemoryStore } from '@parley/messenger';
import type { DenialStatement } from '@parley/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountDenials, loadAccountDenials } from './account-denials.ts';

const AGENT = '0197a0f0-0000-7000-8000-000000000001';
const TOOL = { agentId: AGENT, toolName: 'read_location' };
const KEY = `${AGENT}/read_location`;

let disks: Map<string, Map<string, string>>;
let listed: Set<string>;
let ids: number;
const load = (deviceId: string) => {
  if (!disks.has(deviceId)) disks.set(deviceId, new Map());
  return loadAccountDenials(createMemoryStore(disks.get(deviceId)!), {
    deviceId,
    newId: () => `${deviceId}-${++ids}`,
    isListed: (id) => listed.has(id),
  });
};
let laptop: AccountDenials;
let phone: AccountDenials;
let tablet: AccountDenials;
beforeEach(async () => {
  disks = new Map();
  listed = new Set(['laptop', 'phone', 'tablet', 'thief']);
  ids = 0;
  [laptop, phone, tablet] = await Promise.all([load('laptop'), load('phone'), load('tablet')]);
});

const isDenied = (one: AccountDenials) => one.getSnapshot().has(KEY);
const deny = (one: AccountDenials, at = 1) => one.decide(TOOL, { denied: true, at });
const lift = (one: AccountDenials, at = 1) => one.decide(TOOL, { denied: false, at });
const tell = (to: AccountDenials, by: string, from: AccountDenials) => to.hear(by, from.statements());
const say = (change: Partial<DenialStatement> = {}): DenialStatement => ({
  agent_id: AGENT,
  tool_name: 'read_location',
  id: 'said',
  state: 'denied',
  at: 1,
  ...change,
});
const many = (count: number, change: Partial<DenialStatement> = {}) =>
  Array.from({ length: count }, (_, at) => say({ tool_name: `tool_${at}`, id: `id-${at}`, at: 1_000 + at, ...change }));
/** A device lifts whatever it was told of. */
const lifting = (from: AccountDenials) => from.statements().map((one) => ({ ...one, state: 'lifted' as const }));

describe('CG-6 "always deny" on all devices of an account', () => {
  it('CG-6 is heard, lifted there, and lifted here; all of it outlasts a restart', async () => {
    await deny(laptop);
    expect(await tell(phone, 'laptop', laptop)).toEqual([AGENT]);
    expect(isDenied(phone)).toBe(true);
    expect(await tell(phone, 'laptop', laptop)).toEqual([]);
    await lift(phone);
    expect(await tell(laptop, 'phone', phone)).toEqual([AGENT]);
    expect([isDenied(laptop), isDenied(phone)]).toEqual([false, false]);
    expect([isDenied(await load('laptop')), isDenied(await load('phone'))]).toEqual([false, false]);
    await deny(await load('laptop'));
    expect(isDenied(await load('laptop'))).toBe(true);
  });

  it('CG-6 a denial of the version before, known to one device, is told to all, and can be lifted for good', async () => {
    disks.set('old', new Map([[`client/denial/${KEY}`, JSON.stringify({ ...TOOL, createdAt: 5 })]]));
    await load('old');
    const old = await load('old');
    expect(isDenied(old)).toBe(true);
    await tell(phone, 'old', old);
    expect(isDenied(phone)).toBe(true);
    await tell(old, 'phone', phone);
    await lift(old);
    expect([isDenied(old), isDenied(await load('old'))]).toEqual([false, false]);
  });

  it('CG-6 what is denied anew is not lifted by a lift of before, whoever knew what', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    await lift(phone);
    await deny(phone);
    await lift(phone);
    const old = phone.statements();
    // The tablet was away, and knows nothing of all that.
    await deny(tablet);
    await tell(phone, 'tablet', tablet);
    await tell(tablet, 'phone', phone);
    await laptop.hear('phone', old);
    await tell(laptop, 'tablet', tablet);
    expect([laptop, phone, tablet].map(isDenied)).toEqual([true, true, true]);
    await lift(laptop);
    await Promise.all([tell(phone, 'laptop', laptop), tell(tablet, 'laptop', laptop)]);
    expect([laptop, phone, tablet].map(isDenied)).toEqual([false, false, false]);
  });

  it('CG-6 attack: a replayed older statement does not lift it', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    await lift(phone);
    const lifted = phone.statements();
    await laptop.hear('phone', lifted);
    await deny(laptop);
    expect(await laptop.hear('phone', lifted)).toEqual([]);
    expect(isDenied(laptop)).toBe(true);
  });

  it('CG-6 attack: nor does a replayed denial come back when it was lifted', async () => {
    await deny(laptop);
    const said = laptop.statements();
    await phone.hear('laptop', said);
    await lift(phone);
    expect(await phone.hear('laptop', said)).toEqual([]);
    expect(isDenied(phone)).toBe(false);
  });

  it('EE-18 attack: what a thief has lifted while it was listed is denied again, everywhere, once it is revoked', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    const lifted = lifting(laptop);
    for (const one of [laptop, phone]) await one.hear('thief', lifted);
    expect([isDenied(laptop), isDenied(phone)]).toEqual([false, false]);
    // Nor does anyone hand on what it has lifted.
    expect(phone.statements()).toEqual([]);
    listed.delete('thief');
    expect([laptop.review(), phone.review(), phone.review()]).toEqual([[AGENT], [AGENT], []]);
    expect([isDenied(laptop), isDenied(phone), isDenied(await load('phone'))]).toEqual([true, true, true]);
    expect(phone.statements()).toMatchObject([{ state: 'known' }]);
  });

  it('EE-18 what a listed device has lifted as well stays lifted', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    await lift(phone);
    await phone.hear('thief', lifting(laptop));
    listed.delete('thief');
    expect(phone.review()).toEqual([]);
    expect(isDenied(phone)).toBe(false);
  });

  it('CG-6 attack: a device says that another one has lifted it: only what it lifted itself is told, and taken as its own', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    await lift(phone);
    await tell(laptop, 'phone', phone);
    expect(laptop.statements()).toEqual([]);
    expect(phone.statements()).toMatchObject([{ state: 'lifted' }]);
  });

  it('CG-6 attack: a device lifts what nobody denied: none of it is kept, and what the person lifted stays lifted', async () => {
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    await lift(phone);
    await phone.hear('thief', many(1_100, { state: 'lifted' }));
    expect(disks.get('phone')!.size).toBe(1);
    // Denied by itself first: that is forgotten before what the person lifted.
    await phone.hear('thief', many(1_000));
    await phone.hear('thief', many(1_000, { state: 'lifted' }));
    await phone.hear(
      'thief',
      many(1_100).map((one) => ({ ...one, id: `${one.id}-again` })),
    );
    expect(disks.get('phone')!.size).toBe(1_001);
    expect(phone.statements()).toContainEqual(expect.objectContaining({ tool_name: TOOL.toolName, state: 'lifted' }));
    await tell(phone, 'laptop', laptop);
    expect(isDenied(phone)).toBe(false);
  });

  it('CG-6 attack: of one device, what others lifted is forgotten before what was lifted here', async () => {
    await phone.hear('thief', [say()]);
    await lift(phone);
    await phone.hear('thief', many(999));
    await phone.hear('laptop', many(999, { state: 'lifted' }));
    await (await load('phone')).hear(
      'thief',
      many(500).map((one) => ({ ...one, id: `${one.id}-again` })),
    );
    const again = await load('phone');
    expect(again.statements()).toContainEqual(expect.objectContaining({ id: 'said', state: 'lifted' }));
    expect(disks.get('phone')!.size).toBe(1_000);
  });

  it('CG-6 attack: a device that was revoked since has denied a thousand tools: the others are heard all the same', async () => {
    await phone.hear('thief', many(1_100));
    expect(phone.getSnapshot().size).toBe(1_000);
    listed.delete('thief');
    phone.review();
    await deny(laptop);
    await tell(phone, 'laptop', laptop);
    expect(isDenied(phone)).toBe(true);
    // Nor does it fill the room of who hands it on.
    await tell(tablet, 'phone', phone);
    await phone.decide({ agentId: AGENT, toolName: 'say_high' }, { denied: true, at: 1 });
    await tell(tablet, 'phone', phone);
    expect(tablet.getSnapshot().has(`${AGENT}/say_high`)).toBe(true);
    // What the person decides here always fits.
    await lift(phone);
    await deny(phone);
    expect(isDenied(phone)).toBe(true);
  });

  it('EE-23 a denial is confirmed by the device that says it knows of it, not by one that knew of an earlier one', async () => {
    await deny(laptop);
    expect(laptop.isKnownTo('phone', TOOL)).toBe(false);
    await tell(phone, 'laptop', laptop);
    expect(phone.isKnownTo('laptop', TOOL)).toBe(true);
    await tell(laptop, 'phone', phone);
    expect(laptop.isKnownTo('phone', TOOL)).toBe(true);
    await lift(laptop);
    await deny(laptop);
    expect(laptop.isKnownTo('phone', TOOL)).toBe(false);
    await tell(phone, 'laptop', laptop);
    await tell(laptop, 'phone', phone);
    expect((await load('laptop')).isKnownTo('phone', TOOL)).toBe(true);
  });
});
