/**
 * Finds a path from a node back to itself, with its first node repeated at the end; undefined if there is none. It does
 * not recurse.
 */
export function findCycle(
  nodes: readonly string[],
  targetsOf: (node: string) => readonly (string | undefined)[],
): string[] | undefined {
  const done = new Set<string>();
  for (const start of nodes) {
    const trail: { node: string; next: number }[] = done.has(start) ? [] : [{ node: start, next: 0 }];
    const open = new Set(trail.map(({ node }) => node));
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const targets = targetsOf(step.node);
      const target = targets[step.next++];
      if (step.next > targets.length) {
        trail.pop();
        open.delete(step.node);
        done.add(step.node);
      } else if (target !== undefined && open.has(target)) {
        const path = trail.map(({ node }) => node);
        return [...path.slice(path.indexOf(target)), target];
      } else if (target !== undefined && !done.has(target)) {
        trail.push({ node: target, next: 0 });
        open.add(target);
      }
    }
  }
  return undefined;
}
