/**
 * What rows cost besides what is in them, as the triggers of the database count them (OP-1): whoever writes them makes
 * sure that there is room.
 */
export const ROW_BYTES = {
  agent: 1_000,
  message: 400,
  conversation: 500,
  member: 500,
  relation: 1_000,
  /** Of a ledger, or of the chain of a group. */
  statement: 300,
  idempotencyKey: 400,
  event: 300,
  device: 1_000,
  token: 500,
  /** Of a skill or a bundle. */
  version: 300,
  skill: 1_000,
  bundle: 1_000,
  entitlement: 300,
  delivery: 600,
} as const;
