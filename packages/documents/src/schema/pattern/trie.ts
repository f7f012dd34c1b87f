import type { StepBudget } from './step-budget.ts';

/** Strings by their code points, from the first one on. */
export interface Trie {
  readonly number: number;
  readonly children: Map<number, Trie>;
  isWord: boolean;
}

/** Words with a lone surrogate are left out: they are not JSON strings. */
export function buildTrie(words: Iterable<string>, budget: StepBudget): Trie {
  let count = 0;
  const create = (): Trie => ({ number: count++, children: new Map(), isWord: false });
  const root = create();
  for (const word of words) {
    budget.left -= word.length;
    if (budget.left < 0) break;
    if (hasLoneSurrogate(word)) continue;
    let node = root;
    for (const char of word) {
      const point = char.codePointAt(0)!;
      const child = node.children.get(point) ?? create();
      node.children.set(point, child);
      node = child;
    }
    node.isWord = true;
  }
  return root;
}

function hasLoneSurrogate(text: string): boolean {
  for (const char of text) if (char.length === 1 && char >= '\ud800' && char <= '\udfff') return true;
  return false;
}
