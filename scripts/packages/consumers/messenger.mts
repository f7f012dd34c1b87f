import { createMemoryStore, loadOrCreateKeys, messengerError, type Store } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';

const store: Store = createMemoryStore();
const { crypto } = createNodePlatform();
await loadOrCreateKeys(store, crypto, 'somebody');
if ((await store.list('')).length === 0) throw new Error('no keys were kept');
if (messengerError('CLOSED').code !== 'CLOSED') throw new Error('another error');
