interface Waiting {
  readonly agentId: string;
}

/**
 * Sorts what waits so that agents take turns (CG-14): one of each, beginning with the agent that was shown least
 * recently. `waiting` is in the order of arrival, which stays the order of each agent's own.
 */
export function takeTurns<W extends Waiting>(waiting: readonly W[], lastShown: ReadonlyMap<string, number>): W[] {
  const byAgent = new Map<string, W[]>();
  for (const one of waiting) byAgent.set(one.agentId, [...(byAgent.get(one.agentId) ?? []), one]);
  // Sorting is stable: among agents that were never shown, the first to ask comes first.
  const agents = [...byAgent.keys()].sort((a, b) => (lastShown.get(a) ?? 0) - (lastShown.get(b) ?? 0));
  const rounds = Math.max(0, ...[...byAgent.values()].map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => agents.flatMap((id) => byAgent.get(id)![round] ?? [])).flat();
}
