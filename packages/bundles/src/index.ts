export { BundleError } from './failure.ts';
export { recover } from './files/workspace.ts';
export { activateBundle } from './life/activate.ts';
export { rollback, uninstall } from './life/remove.ts';
export { startSession, stopSession } from './life/session.ts';
export { statusOf } from './life/status.ts';
