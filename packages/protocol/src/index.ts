export { type ErrorParams, errorText, i18nKey } from './error-text.ts';
export { ERROR_CODES, ERRORS, type ErrorCode, type Texts } from './errors.ts';
export { DENIED_REASONS, type DeniedReason, ERROR_REASONS, type ErrorReason } from './reasons.ts';
export {
  ADMINS,
  type BodyOf,
  CALLERS,
  type CallerKind,
  defineRoute,
  OPEN,
  type ParamsOf,
  PEOPLE,
  type QueryOf,
  type ReplyOf,
  type RouteContract,
  type RouteLimit,
} from './route.ts';
export { toWire, type WireError, type WireErrorInput } from './wire-error.ts';
