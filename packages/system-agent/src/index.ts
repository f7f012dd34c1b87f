export { type HasheeOptions, startHashee } from './hashee.ts';
