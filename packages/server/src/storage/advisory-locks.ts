/**
 * The numbers of all advisory locks, so that none is used by accident for two purposes. They never change: nodes of two versions
 * may run at the same time. The function `tool_rates` in the migrations uses 7213002 together with a second number;
 * `fold_usage` and `recount_usage` use 7213005.
 */
export const ADVISORY_LOCKS = {
  /** One node migrates while the others wait. */
  migrate: 7_213_001,
  /** One registration decides whether it is the first. */
  firstAccount: 7_213_002,
  /** With a recipient: serialises changes of many of its events. */
  events: 7_213_003,
  /** Held alone by whoever gives positions to events of conversations, together by those who give them to others. */
  eventPositions: 7_213_008,
  /** With an account: serialises its devices that pass a tool call or disconnect. */
  callPasses: 7_213_004,
  /**
   * With two people: serialises the start of their conversation. It shares its number, but never its keys, with
   * `callPasses`.
   */
  conversationOfTwo: 7_213_004,
  /** With an account: serialises what counts its agents. */
  ownAgents: 7_213_006,
  /** With an account: serialises what counts the members of its groups. */
  ownGroupMembers: 7_213_009,
  /** With a random number: held by each node for as long as it lives, so that the others notice its end (TR-3). */
  nodes: 7_213_007,
  /** One node at a time makes deliveries of events, so that they keep their order. */
  webhookFanOut: 7_213_018,
  /** With an account: serialises what counts the invitations that it was shown. */
  heardInvitations: 7_213_026,
  /** Serialises claims of namespaces. */
  namespaces: 7_304_001,
} as const;
