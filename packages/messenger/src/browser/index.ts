export { type IndexedDbOptions, openIndexedDbStore } from '../stores/indexed-db.ts';
