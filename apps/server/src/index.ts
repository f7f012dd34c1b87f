// For commands beside the server. The server itself is loaded by `run` alone.
export { startInBackground, stopRunning } from './background.ts';
export { hasData, withDatabase } from './beside.ts';
export { readEnvironment, type Settings } from './environment.ts';
export { type Problem, Refusal } from './refusal.ts';
export { replaceSecrets, secretsFile } from './secrets.ts';
export { readState, type State } from './state.ts';
export { say } from './texts.ts';
export { readVersion } from './version.ts';
