/**
 * The numbers of all advisory locks, so that none is used by accident for two purposes. They never change: nodes of two versions
 * may run at the same time. The function `tool_rates` in the migrations uses 7213002 together with a second number.
 */
export const ADVISORY_LOCKS = {
  /** One node migrates while the others wait. */
  migrate: 7_213_001,
  /** One registration decides whether it is the first. */
  firstAccount: 7_213_002,
  /** With a recipient: serialises changes of many of its events. */
  events: 7_213_003,
  /** With an account: serialises its devices that pass a tool call or disconnect. */
  callPasses: 7_213_004,
  /**
   * With two people: serialises the start of their conversation. It shares its number, but never its keys, with
   * `callPasses`.
   */
  conversationOfTwo: 7_213_004,
  /** Serialises claims of namespaces. */
  namespaces: 7_304_001,
} as const;
