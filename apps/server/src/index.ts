export { startInBackground, stopRunning } from './background.ts';
export { hasData, withDatabase } from './beside.ts';
export { readEnvironment, type Settings } from './environment.ts';
export { readVersion } from './instance.ts';
export { type Problem, Refusal } from './refusal.ts';
export { type RunOptions, run } from './run.ts';
export { replaceSecrets, secretsFile } from './secrets.ts';
export { readState, type State } from './state.ts';
export { type Locale, say } from './texts.ts';
