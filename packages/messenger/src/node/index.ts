export { openFileStore } from '../stores/file.ts';
