export { readEnvironment, type Settings } from './environment.ts';
export { readVersion } from './instance.ts';
export { type Problem, Refusal } from './refusal.ts';
export { type Report, type RunOptions, run } from './run.ts';
export { parseSecrets, secretsFile } from './secrets.ts';
export { readState, type State } from './state.ts';
export { type Locale, sayProblems } from './texts.ts';
