export { awaitApproval, findDevice } from './approval.ts';
export { bindSession } from './bind.ts';
export { openClient } from './open.ts';
