interface Visitor<T> {
  /** Called after everything that can be reached from the item has been left, except for loops back to it. */
  leave?(item: T): void;
  /** Called for an edge to an item that is still being visited: a loop. */
  back?(from: T, to: T): void;
}

/** Visits depth first without recursion: a chain of references may be longer than the stack. */
export function depthFirst<T>(starts: Iterable<T>, next: (item: T) => Iterable<T>, visitor: Visitor<T>): void {
  const state = new Map<T, 'open' | 'done'>();
  for (const start of starts) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const stack = [{ item: start, edges: next(start)[Symbol.iterator]() }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = top.edges.next();
      if (edge.done) {
        visitor.leave?.(top.item);
        state.set(top.item, 'done');
        stack.pop();
      } else if (!state.has(edge.value)) {
        state.set(edge.value, 'open');
        stack.push({ item: edge.value, edges: next(edge.value)[Symbol.iterator]() });
      } else if (state.get(edge.value) === 'open') visitor.back?.(top.item, edge.value);
    }
  }
}
