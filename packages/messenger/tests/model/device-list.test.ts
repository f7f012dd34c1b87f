import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { FAULTS } from './faults.ts';
import { Invariants } from './invariants.ts';
import { Model } from './moves.ts';
import { REAL } from './rules.ts';
import { initialState, type State } from './state.ts';
import { idOf } from './symbols.ts';

// All orders of what honest devices, a thief and the server can do to a device list and a ledger, up to eight steps.
//
// A and B are honest keepers, T is a device of the account whose keys a thief has, N is a new device, everyone else is a
// reader. A step is a statement that is signed, by whomever; a list that is shown to A or B; or a statement that is lost
// on its maker. What is shown to those who sign nothing costs nothing: in every state, every reader is taken to have seen
// any list and to be shown any other, by the product's own `judgeList`, and to be shown any ledger.
//
// What makes the menu smaller: T is stolen from the start, because a thief can do what T could; B is a keeper from the
// start, because it can do all that others can; A alone makes keepers, rotates and lets N in, and B alone signs an entry,
// because they could change places; of what a thief has signed, devices are shown a ghost only, because they can sign
// nothing after the rest; one honest rotation, addition and entry, two revocations and recoveries.

const EIGHT = 8;
const FIVE = 5;
/** Half a minute of work, which a busy machine stretches. */
const LIMIT = { timeout: 300_000 };

/** Takes the steps of those labels. */
function follow(model: Model, labels: readonly string[]): State {
  return labels.reduce((state, label) => {
    const move = [...model.moves(state, EIGHT)].find((one) => one.label() === label);
    if (move === undefined) throw new Error(`nobody can do this: ${label}`);
    return move.state;
  }, initialState(model.statements));
}

describe('EE-17 EE-18 model: a device list with a thief and a malicious server', () => {
  it(
    'EE-18 every order of eight steps: a revoked device stays void, no ghosts, a fork stops until a recovery',
    LIMIT,
    () => {
      const found = explore(new Model(REAL, { recoveries: 2, settles: 'forked' }), EIGHT);
      expect(found.counterexample).toBeUndefined();
      expect(found.states).toBeGreaterThan(40_000);
      expect(found.transitions).toBeGreaterThan(70_000);
      // What EE-17 wants: who recovers and was never shown a revocation puts a list without it in its place.
      expect(found.undone).toBeGreaterThan(1_000);
    },
  );

  it('EE-17 every order of five steps, if devices recover whenever they like', () => {
    const found = explore(new Model(REAL, { recoveries: 1, settles: 'always' }), FIVE);
    expect(found.counterexample).toBeUndefined();
    expect(found.states).toBeGreaterThan(4_000);
    expect(found.transitions).toBeGreaterThan(7_000);
  });

  it.each(FAULTS)('EE-18 the model finds the attack where %s', (_, invariant, faulty) => {
    const found = explore(new Model({ ...REAL, ...faulty }, { recoveries: 1, settles: 'forked' }), EIGHT);
    expect(found.counterexample?.invariant.slice(0, 3)).toBe(invariant);
  });

  it('EE-18 without an adversary everyone gets where they should', () => {
    const model = new Model(REAL, { recoveries: 1, settles: 'forked' });
    const list = 'create, keep B, keep T, add N, rotate';
    const state = follow(model, [
      'B signs an entry after none',
      'A signs [create, keep B, keep T]',
      'A signs [create, keep B, keep T, add N]',
      `A signs [${list}]`,
      `B is shown [${list}]; B signs [${list}, revoke T]`,
    ]);
    const { lists, ledgers } = new Invariants(model).worldOf(state);
    const last = model.node(state.views.B);
    expect([...last.list!.devices.keys()]).toEqual(['A', 'B', 'N'].map((name) => idOf(name as 'A')));
    expect(last.list!.revoked.has(idOf('T'))).toBe(true);

    // Whoever saw the beginning follows to the end; N opens the welcome of the device that let it in.
    const reader = { node: model.statements.start.id, isForked: false };
    expect(model.server.judge(reader, last)).toEqual({ node: last.id, isForked: false });
    const welcome = model.statements.lists[state.welcomes[0]!]!;
    expect(model.pairing.opens(welcome, { knowsCode: true })).toBe(true);
    expect(model.server.judge({ node: welcome.id, isForked: false }, last).node).toBe(last.id);

    // What B granted is granted, and nothing that the thief adds: here, and in the list of one who recovers after it.
    const granted = ledgers.map((ledger) => [...model.readLedger(last, ledger).scopes].join());
    expect(new Set(granted)).toEqual(new Set(['', 'ok']));
    // The key that T knew has signed nothing after the end of T: all that a thief can put behind it comes before.
    const evil = [...lists].filter(({ isHonest }) => !isHonest);
    expect(evil.length).toBeGreaterThan(0);
    expect(evil.filter(({ path }) => path.has(last.id))).toEqual([]);
  });

  it('EE-17 after a fork everything stops, and goes on with the list that was recovered', () => {
    const model = new Model(REAL, { recoveries: 1, settles: 'forked' });
    const list = 'create, keep B, keep T';
    const state = follow(model, [
      `A signs [${list}]`,
      `A signs [${list}, revoke T]`,
      `A is shown [create, add G by the thief]; A recovers: [${list}, revoke T, recover]`,
    ]);
    const recovered = model.node(state.views.A);
    const ghost = [...new Invariants(model).worldOf(state).lists].find(({ list: read }) =>
      read!.devices.has(idOf('G')),
    )!;
    const stopped = model.server.judge({ node: recovered.parent!.id, isForked: false }, ghost);
    expect(stopped.isForked).toBe(true);
    for (const node of [recovered.parent!, ghost]) {
      expect(model.server.judge({ node: node.id, isForked: true }, recovered)).toEqual({
        node: recovered.id,
        isForked: false,
      });
      expect(model.server.judge({ node: recovered.id, isForked: false }, node).node).toBe(recovered.id);
    }
    expect([...recovered.list!.devices.keys()]).toEqual([idOf('A'), idOf('B')]);
  });
});
