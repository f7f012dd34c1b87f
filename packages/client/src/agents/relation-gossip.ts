import type { OtherDevice } from '../account/other-device.ts';

/** What the account's other devices say about a relation (EE-23). */
export interface RelationGossip {
  /** Who was shown something about it that the server does not show here. Then nothing of it is used. */
  readonly withheldBy: OtherDevice | undefined;
  /** Who has not said yet that it knows what was taken back last. */
  readonly unconfirmed: readonly OtherDevice[];
}

export const NO_GOSSIP: RelationGossip = { withheldBy: undefined, unconfirmed: [] };
