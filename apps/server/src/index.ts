// Exports what commands that manage a server need. Only `run` loads the server itself.
export { startInBackground, stopRunning } from './background.ts';
export { readEnvironment, type Settings } from './environment.ts';
export { LOCAL_AGENTS } from './local-agent-names.ts';
export { type OperatorLink, readOperatorLink, removeOperatorLink } from './operator-link.ts';
export { prepareRotation, type RotationState, readRotation, retire, rotate } from './rotation.ts';
export { replaceSecrets, secretsFile } from './secrets.ts';
export { listStartErrors } from './start-errors.ts';
export { readState, type State } from './state.ts';
export { hasData, withDatabase } from './with-database.ts';
