export { STORE_CASES, type StoreCase, type StoreLocation } from './store.ts';
