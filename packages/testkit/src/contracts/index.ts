export { STORE_CASES, type StoreCase, type StorePlace } from './store.ts';
