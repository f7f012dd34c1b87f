export { awaitApproval } from './approval.ts';
export { bindSession } from './bind-session.ts';
export { foundIfFirst } from './found.ts';
export { openClient } from './open.ts';
