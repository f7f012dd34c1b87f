// Exports what commands that manage a server need. Only `run` loads the server itself.
export { startInBackground, stopRunning } from './background.ts';
export { readEnvironment, type Settings } from './environment.ts';
export { replaceSecrets, secretsFile } from './secrets.ts';
export { listStartErrors } from './start-errors.ts';
export { readState, type State } from './state.ts';
export { hasData, withDatabase } from './with-database.ts';
