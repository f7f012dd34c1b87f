import { createObservable, type Readable } from '@parley/base';
import type { Store } from '@parley/messenger';
import type { DenialStatement } from '@parley/protocol';
import { denialKey } from './decide.ts';

/** "Always deny" of a tool of an agent, until removed (CG-6). */
export interface Denial {
  readonly agentId: string;
  readonly toolName: string;
  readonly createdAt: number;
}

type Subject = Pick<Denial, 'agentId' | 'toolName'>;

/** One denial, with what the devices of the account say of it. It is kept when it is lifted: a lift may stop counting. */
interface KnownDenial extends Denial {
  readonly id: string;
  /** Rises with each that this device comes to know. */
  readonly arrival: number;
  /** The device that this one knows it from, and whether that one decided it: what one says is kept up to a bound. */
  readonly from: string;
  readonly state: 'denied' | 'known';
  readonly knownTo: readonly string[];
  readonly liftedBy: readonly string[];
}

/** What is denied for the account, as far as this device knows: by itself, and by the other devices. */
export interface AccountDenials extends Readable<ReadonlyMap<string, Denial>> {
  /** A lift ends the denials of the tool that are known here, and no other. */
  decide(subject: Subject, decision: { readonly denied: boolean; readonly at: number }): Promise<void>;
  /** A listed device of the account says what it knows. Returns the agents that this changes something for. */
  hear(deviceId: string, said: readonly DenialStatement[]): Promise<readonly string[]>;
  /** The list of devices may have changed. Returns the agents that this changes something for. */
  review(): readonly string[];
  /** What this device tells the others: all that is denied, and what it has lifted itself. */
  statements(): readonly DenialStatement[];
  /** Has the device said that it knows of this denial? */
  isKnownTo(deviceId: string, subject: Subject): boolean;
}

export interface DenialsOptions {
  readonly deviceId: string;
  newId(): string;
  /** Does the account's list name this other device? */
  isListed(deviceId: string): boolean;
}

const PREFIX = 'client/denial/';
/** More than a person decides on one device: none must fill the disk of another, or leave no room for a third. */
const MAX_OF_ONE = 1_000;

export async function loadAccountDenials(store: Store, options: DenialsOptions): Promise<AccountDenials> {
  const { deviceId, newId, isListed } = options;
  let all: ReadonlyMap<string, KnownDenial> = await readDenials(store, deviceId);
  let arrivals = Math.max(0, ...[...all.values()].map(({ arrival }) => arrival));

  /** The word of a device counts for as long as it is listed (EE-18). */
  const isInForce = ({ liftedBy }: KnownDenial) => !liftedBy.some((by) => by === deviceId || isListed(by));
  const inForce = () => [...all.values()].filter(isInForce);
  const about = (subject: Subject) => [...all.values()].filter((one) => denialKey(one) === denialKey(subject));
  const denied = (): ReadonlyMap<string, Denial> => new Map(inForce().map((one) => [denialKey(one), one]));
  const state = createObservable(denied());

  /**
   * Forgets what was lifted first, rather by another device than here: it could at worst be denied again. Returns what
   * is forgotten, or undefined if there is no room.
   */
  function makeRoom(
    made: Pick<KnownDenial, 'from' | 'state'>,
    among: Map<string, KnownDenial>,
  ): readonly string[] | undefined {
    const held = [...among.values()].filter(({ from, state }) => from === made.from && state === made.state);
    if (held.length < MAX_OF_ONE) return [];
    const lifted = held.filter((one) => !isInForce(one));
    const gone = lifted.find((one) => !one.liftedBy.includes(deviceId)) ?? lifted[0];
    if (gone === undefined) return undefined;
    among.delete(keyOf(gone));
    return [keyOf(gone)];
  }

  /** Shows what is denied now. Returns the agents of which it is more or less than before. */
  function show(): readonly string[] {
    const [before, after] = [state.getSnapshot(), denied()];
    state.set(after);
    const changed = [...before, ...after].filter(([key]) => before.has(key) !== after.has(key));
    return [...new Set(changed.map(([, { agentId }]) => agentId))];
  }

  async function keep(next: ReadonlyMap<string, KnownDenial>, changed: Iterable<string>): Promise<readonly string[]> {
    all = next;
    const writes = [...changed].map((key) => {
      const one = next.get(key);
      return [PREFIX + key, one === undefined ? null : JSON.stringify(one)] as const;
    });
    const agents = show();
    await store.write(new Map(writes));
    return agents;
  }

  return {
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    review: show,
    async decide(subject, { denied, at }) {
      const next = new Map(all);
      const held = about(subject);
      if (!denied) {
        for (const one of held) next.set(keyOf(one), { ...one, liftedBy: including(one.liftedBy, deviceId) });
      } else if (!held.some(isInForce)) {
        const { agentId, toolName } = subject;
        const made = { agentId, toolName, id: newId(), createdAt: at, from: deviceId, state: 'denied' as const };
        const gone = makeRoom(made, next) ?? [];
        next.set(keyOf(made), { ...made, arrival: ++arrivals, knownTo: [], liftedBy: [] });
        await keep(next, [keyOf(made), ...gone]);
        return;
      }
      // Written again where nothing changes: the disk may have been full the first time.
      await keep(next, held.map(keyOf));
    },
    async hear(from, said) {
      const next = new Map(all);
      const changed = new Set<string>();
      for (const { agent_id: agentId, tool_name: toolName, id, state, at } of said) {
        const key = keyOf({ agentId, toolName, id });
        const held = next.get(key);
        if (held === undefined) {
          // So none is kept of a tool that nobody denied.
          if (state === 'lifted') continue;
          const made = { agentId, toolName, id, createdAt: at, from, state };
          const gone = makeRoom(made, next);
          if (gone === undefined) continue;
          for (const one of gone) changed.add(one);
          next.set(key, { ...made, arrival: ++arrivals, knownTo: [from], liftedBy: [] });
        } else {
          const field = state === 'lifted' ? 'liftedBy' : 'knownTo';
          if (held[field].includes(from)) continue;
          next.set(key, { ...held, [field]: including(held[field], from) });
        }
        changed.add(key);
      }
      return changed.size === 0 ? [] : keep(next, changed);
    },
    statements() {
      return [...all.values()].flatMap((one) => {
        const own = one.from === deviceId ? one.state : 'known';
        const state = one.liftedBy.includes(deviceId) ? 'lifted' : isInForce(one) ? own : undefined;
        if (state === undefined) return [];
        const { agentId, toolName, id, createdAt } = one;
        return [{ agent_id: agentId, tool_name: toolName, id, state, at: Math.max(0, Math.trunc(createdAt)) }];
      });
    },
    isKnownTo: (device, subject) => about(subject).some((one) => isInForce(one) && one.knownTo.includes(device)),
  };
}

async function readDenials(store: Store, deviceId: string): Promise<ReadonlyMap<string, KnownDenial>> {
  const read = (await store.list(PREFIX)).map(([key, text]): [string, KnownDenial] => {
    // The version before knew of denials on one device alone, one of each tool, under the name of the tool.
    const before = { id: deviceId, arrival: 0, from: deviceId, state: 'denied', knownTo: [], liftedBy: [] } as const;
    return [key, { ...before, ...(JSON.parse(text) as Denial & Partial<KnownDenial>) }];
  });
  const moved = read.filter(([key, one]) => key !== PREFIX + keyOf(one));
  if (moved.length > 0) {
    await store.write(
      new Map(
        moved.flatMap(([key, one]): [string, string | null][] => [
          [key, null],
          [PREFIX + keyOf(one), JSON.stringify(one)],
        ]),
      ),
    );
  }
  const inOrder = read.map(([, one]) => one).sort((a, b) => a.arrival - b.arrival);
  return new Map(inOrder.map((one) => [keyOf(one), one]));
}

const keyOf = (one: Subject & Pick<KnownDenial, 'id'>): string => `${denialKey(one)}/${one.id}`;

const including = (ids: readonly string[], id: string): readonly string[] => [...new Set([...ids, id])];
