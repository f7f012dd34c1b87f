import type { Messenger, Store } from '@parley/messenger';
import type { Head, ListMark } from '@parley/protocol';
import { readChainHeads } from '../account/chain-heads.ts';
import type { Manifests } from '../agents/manifests.ts';
import type { RelationRegistry } from '../agents/relation-registry.ts';
import type { RelationState } from '../agents/relation-state.ts';
import type { HeardHeads } from './heard-heads.ts';

interface OwnHeadsDeps {
  readonly accountId: string;
  readonly store: Store;
  readonly messenger: Pick<Messenger, 'flush'>;
  readonly registry: Pick<RelationRegistry, 'views' | 'get'>;
  readonly manifests: Pick<Manifests, 'announced' | 'verified'>;
  readonly heard: Pick<HeardHeads, 'list'>;
}

/** More than a person has. What is most dangerous to miss comes first. */
const MAX_TOLD = 1_000;
const ACCOUNTS = 'pin/account/';

/** All that this device was shown: what it tells the account's other devices. */
export async function readOwnHeads(deps: OwnHeadsDeps): Promise<readonly Head[]> {
  const { store, accountId, registry } = deps;
  await deps.messenger.flush();
  const chains = await readChainHeads(store, { accountId });
  const states = registry.views.getSnapshot().flatMap(({ relationId }) => registry.get(relationId) ?? []);
  const manifests = states.filter(({ wire }) => wire.status !== 'ended').flatMap((state) => manifestHead(deps, state));
  const lists = (await store.list(ACCOUNTS)).flatMap(([key, text]): Head[] => {
    const { list } = JSON.parse(text) as { list?: ListMark };
    const id = key.slice(ACCOUNTS.length);
    return list === undefined || id === accountId ? [] : [toListHead(id, list)];
  });
  return [...ownListHead(deps), ...chains, ...manifests, ...lists].slice(0, MAX_TOLD);
}

/** What concerns one agent, and what its conversation's members know anyway. */
export function headsOfRelation(deps: OwnHeadsDeps, state: RelationState): readonly Head[] {
  const { chain, wire } = state;
  const ledger: Head[] =
    chain.head === null
      ? []
      : [{ kind: 'ledger', id: wire.relation_id, length: chain.entries.length, head: chain.head }];
  return [...ledger, ...manifestHead(deps, state), ...ownListHead(deps)];
}

/** Only of a text that was read: an announcement is the server's word alone. */
function manifestHead({ manifests }: OwnHeadsDeps, { wire }: RelationState): readonly Head[] {
  const id = wire.agent_id;
  const announced = manifests.announced(id);
  const hash = manifests.verified(id)?.hash;
  if (announced === undefined || hash === undefined || announced.hash !== hash || announced.version < 1) return [];
  return [{ kind: 'manifest', id, version: announced.version, hash }];
}

function ownListHead({ heard, accountId }: OwnHeadsDeps): readonly Head[] {
  const seen = heard.list();
  return seen === undefined ? [] : [toListHead(accountId, seen.list)];
}

function toListHead(id: string, { length, head, root, recoveries }: ListMark): Head {
  return { kind: 'devices', id, length, head, root, recoveries };
}
