import { createObservable, isParleyError, type Readable } from '@parley/base';
import { type Crypto, toBase64Url } from '@parley/e2ee';
import { ApiError, isShown, loadList, type Messenger, type Platform, type Store, type Trust } from '@parley/messenger';
import {
  accountDenials,
  accountHeads,
  type DenialStatement,
  type GroupStatement,
  groupStatementHash,
  type Head,
  MAX_DENIALS,
  MAX_HEADS,
} from '@parley/protocol';
import type { OtherDevice } from '../account/other-device.ts';
import type { Manifests } from '../agents/manifests.ts';
import type { RelationRegistry } from '../agents/relation-registry.ts';
import type { AccountDenials } from '../guard/account-denials.ts';
import type { OpenProblems } from '../problems.ts';
import { isLedgerShown, isManifestShown, subjectOf } from './compare-heads.ts';
import type { HeardHeads } from './heard-heads.ts';
import { findUnawareOfRevocation } from './judge-relation.ts';
import { headsOfRelation, readOwnHeads } from './own-heads.ts';

/** EE-23: own devices tell each other what they were shown, so that the server cannot keep it from one of them. */
export interface Gossip {
  /** The other devices that have not said yet that they know of the newest revocation of a device. */
  readonly unaware: Readable<readonly OtherDevice[]>;
  /** Another device of the account says what it was shown. Resolves when the server was asked for what is missing here. */
  hear(deviceId: string, heads: readonly Head[]): Promise<void>;
  /** Another device of the account says what is always denied (CG-6). */
  hearDenials(deviceId: string, said: readonly DenialStatement[]): Promise<void>;
  /** Resolves when everything that was heard was looked at: a call that comes meanwhile waits. */
  settled(): Promise<unknown>;
  /** Heads for a message that is sent anyway; undefined most of the time. */
  headsFor(conversationId: string): readonly Head[] | undefined;
  /** This device may have been shown something new. */
  changed(): void;
  /** The device list of the account was read again. */
  listChanged(): Promise<void>;
  /** The device is online and knows what the server shows. */
  caughtUp(): void;
  /** Hands what was not told yet to the messenger. */
  close(): Promise<void>;
}

interface GossipDeps {
  readonly accountId: string;
  readonly deviceId: string;
  readonly store: Store;
  readonly platform: Platform;
  readonly messenger: Pick<Messenger, 'send' | 'flush' | 'refresh' | 'conversation' | 'status'>;
  readonly trust: Pick<Trust, 'account'>;
  readonly registry: RelationRegistry;
  readonly manifests: Manifests;
  readonly heard: HeardHeads;
  readonly problems: OpenProblems;
  readonly denials: AccountDenials;
  /** What the guard knows of an agent has changed. */
  recheck(agentId: string): void;
  /** Reads the device list of the own account from the server. */
  readOwnList(): Promise<void>;
  /** Runs work that nobody awaits. */
  background(work: Promise<unknown>): void;
}

/** The rule says at least every 15 minutes; a timer may be late. */
const INTERVAL_MS = 14 * 60_000;
/** Several changes in a row are told at once. */
const SOON_MS = 250;
/** A server that never answers must not be believed for longer. */
const LOOK_MS = 5_000;
/** While something is kept back, the server is asked again. */
const AGAIN_MS = 30_000;
const CLOSE_MS = 2_000;
const BEGINNING_MS = 60_000;
const TOLD = 'client/told';

export function createGossip(deps: GossipDeps): Gossip {
  const { accountId, store, platform, messenger, registry, manifests, heard, problems, denials } = deps;
  const unaware = createObservable<readonly OtherDevice[]>([]);
  const looking = new Set<Promise<void>>();
  /** What the server was asked for since it was heard. */
  const looked = new Set<string>();
  /** Groups that the person has left and people out of reach, by the server's word: nothing can be sent there. */
  const gone = new Set<string>();
  const attached = new Map<string, { generation: number; at: number; text: string }>();
  const initial = new Set(heard.others().map(({ deviceId }) => deviceId));
  const listedAt = new Map<string, number>();
  let generation = 0;
  let isCaughtUp = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isSoon = false;
  let stopTurn = () => {};
  let stopAgain = () => {};
  const now = () => platform.now().getTime();

  const showUnaware = () => {
    const next = findUnawareOfRevocation(heard, accountId);
    if (JSON.stringify(next) !== JSON.stringify(unaware.getSnapshot())) unaware.set(next);
  };
  showUnaware();

  /** Of what this device does not know at all, it uses nothing. */
  async function isMissing(head: Head): Promise<boolean> {
    if (gone.has(subjectOf(head))) return false;
    if (head.kind === 'ledger') {
      const state = registry.get(head.id);
      return state !== undefined && state.wire.status !== 'ended' && !isLedgerShown(head, state.chain.entries);
    }
    if (head.kind === 'manifest') {
      // Of an agent that is suspended, the server may show nothing, and nothing of it is used.
      const isUsed = registry.byAgent(head.id)?.wire.status === 'active';
      return isUsed && !isManifestShown(head, manifests.announced(head.id));
    }
    if (head.kind === 'devices') {
      if (head.id === accountId) return !isShown(head, heard.list());
      const pin = JSON.parse((await store.get(`pin/account/${head.id}`)) ?? '{}') as { list?: { head: string } };
      // The usual case; a list is verified when it is loaded, which takes longer.
      if (pin.list?.head === head.head) return false;
      const seen = await loadList(store, platform.crypto, head.id);
      return seen !== undefined && !isShown(head, seen);
    }
    const text = await store.get(`members/${head.id}`);
    if (text === undefined) return false;
    const there = (JSON.parse(text) as readonly GroupStatement[])[head.length - 1];
    return there === undefined || groupStatementHash(there) !== head.head;
  }

  async function read(head: Head): Promise<void> {
    if (head.kind === 'ledger') await registry.update(head.id);
    else if (head.kind === 'manifest') await readManifest(head);
    else if (head.kind === 'devices' && head.id === accountId) await deps.readOwnList();
    else await readOther(head);
  }

  /**
   * No agent signs its manifest, so the other device may have been shown one that the server made up. A claim that the
   * server denies is dropped (EE-24), whoever made it.
   */
  async function readManifest(head: Extract<Head, { kind: 'manifest' }>): Promise<void> {
    await manifests.announce(head.id, head);
    await manifests.refresh(head.id);
    if (!isManifestShown(head, manifests.announced(head.id))) await heard.forget(head);
    await registry.reread(head.id);
  }

  async function readOther(head: Extract<Head, { kind: 'group' | 'devices' }>): Promise<void> {
    const { kind, id } = head;
    gone.delete(subjectOf(head));
    messenger.refresh({ kind: kind === 'group' ? 'conversation' : 'account', id });
    try {
      await (kind === 'group' ? messenger.conversation(id) : deps.trust.account(id));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) gone.add(subjectOf(head));
    }
  }

  /** Asks the server for what it has not shown. Whatever it answers, or if it does not, the rest is judged by then. */
  async function look(heads: readonly Head[]): Promise<void> {
    for (const head of heads) looked.add(JSON.stringify(head));
    await inTime(
      Promise.allSettled(heads.map(read)).then(() => messenger.flush()),
      LOOK_MS,
    );
    await review();
  }

  /** Resolves with the work, or after this time. */
  async function inTime(work: Promise<void>, ms: number): Promise<void> {
    let stop = () => {};
    const late = new Promise<void>((resolve) => {
      stop = platform.setTimer(resolve, ms);
    });
    await Promise.race([work, late]).finally(() => stop());
  }

  /** What the server keeps back is said, and no longer when it is shown. */
  async function review(): Promise<void> {
    if (isClosed) return;
    registry.reconsider();
    showUnaware();
    const missing = new Map<string, { by: OtherDevice; head: Head }>();
    const unread: Head[] = [];
    for (const claim of heard.all()) {
      if (!(await isMissing(claim.head))) continue;
      if (looked.has(JSON.stringify(claim.head))) missing.set(subjectOf(claim.head), claim);
      else unread.push(claim.head);
    }
    // Heard in an earlier run: the server may have shown it since.
    if (unread.length > 0 && isCaughtUp) deps.background(look(unread));
    problems.end((one) => one.kind === 'withheld' && !missing.has(subjectOf({ kind: one.subject, id: one.id })));
    for (const { by, head } of missing.values()) {
      problems.note({ kind: 'withheld', subject: head.kind, id: head.id, device: by.name });
    }
    stopAgain();
    if (missing.size > 0 && !isClosed) {
      const heads = [...missing.values()].map(({ head }) => head);
      stopAgain = platform.setTimer(() => deps.background(look(heads)), AGAIN_MS);
    }
  }

  /**
   * A device that was just let in has no prekeys at the server yet: what is sealed now would not be for it. It speaks
   * first, when it is ready.
   */
  function isBeginning({ deviceId }: OtherDevice): boolean {
    if (heard.hasSpoken(deviceId) || initial.has(deviceId)) return false;
    const since = listedAt.get(deviceId) ?? now();
    listedAt.set(deviceId, since);
    return Math.abs(now() - since) < BEGINNING_MS;
  }

  async function tell(): Promise<void> {
    const others = heard.others();
    if (others.length === 0) return;
    if (others.some(isBeginning)) {
      stopTurn();
      stopTurn = platform.setTimer(turn, BEGINNING_MS);
      return;
    }
    const heads = await readOwnHeads(deps);
    const said = denials.statements();
    const digest = digestOf(platform.crypto, [others.map(({ deviceId }) => deviceId), heads, said]);
    const told = JSON.parse((await store.get(TOLD)) ?? '{}') as { digest?: string; at?: number };
    const age = now() - (told.at ?? 0);
    if (told.digest === digest && age >= 0 && age < INTERVAL_MS) return;
    try {
      const payloads = [
        ...inParts(heads, MAX_HEADS).map(accountHeads),
        ...inParts(said, MAX_DENIALS).map(accountDenials),
      ];
      for (const payload of payloads) await messenger.send({ conversationId: accountId, payload });
    } catch (error) {
      // It is tried again, and who has not heard it is shown meanwhile.
      if (error instanceof ApiError || isParleyError(error, 'NO_RECIPIENT', 'CLOSED', 'LIST_FORKED')) return;
      throw error;
    }
    await store.write(new Map([[TOLD, JSON.stringify({ digest, at: now() })]]));
  }

  const isListed = (deviceId: string) => heard.others().some((other) => other.deviceId === deviceId);

  /** The messenger may have been shown a new device before this part was. */
  async function lookUp(deviceId: string): Promise<void> {
    if (isListed(deviceId)) return;
    await messenger.flush();
    await heard.reload();
    reviewDenials();
  }

  /** What a device lifted that the list names no more is denied again (EE-18). */
  function reviewDenials(): void {
    for (const agentId of denials.review()) deps.recheck(agentId);
  }

  async function listenToDenials(deviceId: string, said: readonly DenialStatement[]): Promise<void> {
    await lookUp(deviceId);
    if (!isListed(deviceId)) return;
    for (const agentId of await denials.hear(deviceId, said)) deps.recheck(agentId);
  }

  async function listen(deviceId: string, heads: readonly Head[]): Promise<void> {
    await lookUp(deviceId);
    const isFirst = !heard.hasSpoken(deviceId);
    const news = await heard.add(deviceId, heads);
    if (isFirst) turnSoon();
    if (news.length === 0) return;
    const missing: Head[] = [];
    for (const head of news) {
      const isNew = head.kind === 'ledger' && registry.get(head.id) === undefined;
      if (isNew || (await isMissing(head))) missing.push(head);
    }
    await (missing.length === 0 ? review() : look(missing));
  }

  async function run(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false;
      await review();
      if (isCaughtUp && messenger.status() === 'online') await tell();
    }
  }
  function start(): Promise<void> {
    isSoon = false;
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }
  function turn(): void {
    stopTurn();
    if (isClosed) return;
    stopTurn = platform.setTimer(turn, INTERVAL_MS);
    deps.background(start());
  }
  function turnSoon(): void {
    if (isClosed || isSoon) return;
    isSoon = true;
    stopTurn();
    stopTurn = platform.setTimer(turn, SOON_MS);
  }

  async function track(work: Promise<void>): Promise<void> {
    looking.add(work);
    await work.finally(() => looking.delete(work));
  }

  return {
    unaware: { getSnapshot: unaware.getSnapshot, subscribe: unaware.subscribe },
    hear: (deviceId, heads) => track(listen(deviceId, heads)),
    hearDenials: (deviceId, said) => track(listenToDenials(deviceId, said)),
    settled: () => Promise.allSettled(looking),
    headsFor(conversationId) {
      const last = attached.get(conversationId);
      const at = now();
      const isFresh = last !== undefined && Math.abs(at - last.at) < INTERVAL_MS;
      if ((isFresh && last.generation === generation) || heard.others().length === 0) return undefined;
      const state = registry.byConversation(conversationId);
      if (state === undefined) return undefined;
      const heads = headsOfRelation(deps, state);
      const text = JSON.stringify(heads);
      if (isFresh && last.text === text) {
        attached.set(conversationId, { ...last, generation });
        return undefined;
      }
      attached.set(conversationId, { generation, at, text });
      return heads.length === 0 ? undefined : heads;
    },
    changed() {
      generation++;
      turnSoon();
    },
    async listChanged() {
      await messenger.flush();
      for (const { kind, id } of await heard.reload()) {
        if (kind === 'group') messenger.refresh({ kind: 'conversation', id });
        else if (kind === 'devices' && id !== accountId) messenger.refresh({ kind: 'account', id });
      }
      generation++;
      registry.reconsider();
      reviewDenials();
      showUnaware();
      turnSoon();
    },
    caughtUp() {
      isCaughtUp = true;
      turn();
    },
    async close() {
      stopTurn();
      stopAgain();
      if (isSoon) await inTime(start(), CLOSE_MS).catch(() => {});
      isClosed = true;
    },
  };
}

function digestOf(crypto: Pick<Crypto, 'sha256'>, value: unknown): string {
  return toBase64Url(crypto.sha256(new TextEncoder().encode(JSON.stringify(value))));
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
