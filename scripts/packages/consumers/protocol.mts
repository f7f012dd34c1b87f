import { type Payload, ROUTES, readPayload, textOf } from '@parley/protocol';
import { ERRORS, type ErrorCode } from '@parley/protocol/errors';

const payload: Payload | undefined = readPayload({ content_type: 'text', msg_subtype: 'text' }, { text: 'Hello' });
export const words: string | undefined = payload && 'text' in payload ? textOf(payload) : undefined;
const code: ErrorCode = 'RATE_LIMITED';
if (!ERRORS[code].retry || Object.keys(ROUTES).length === 0) throw new Error('the tables are empty');
