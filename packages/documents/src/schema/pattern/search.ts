import { Alphabet } from './alphabet.ts';
import { Automaton, FOUND } from './automaton.ts';
import type { Program } from './program.ts';
import type { StepBudget } from './step-budget.ts';
import { buildTrie, type Trie } from './trie.ts';

export interface SearchGoal {
  readonly match: readonly Program[];
  readonly avoid: readonly Program[];
  readonly minLength: number;
  readonly maxLength: number;
  readonly exclude: ReadonlySet<string>;
}

/** What is known after some characters: the state of each automaton, and which excluded strings may still follow. */
interface Prefix {
  readonly states: readonly number[];
  readonly trie: Trie | undefined;
  readonly point: number;
  readonly parent: Prefix | undefined;
}

/** Finds a shortest string that satisfies the goal; null if there is none, undefined if the steps ran out. */
export function searchString(goal: SearchGoal, budget: StepBudget): string | null | undefined {
  return new Search(goal, budget).run();
}

class Search {
  readonly #goal: SearchGoal;
  readonly #budget: StepBudget;
  readonly #alphabet: Alphabet;
  readonly #automata: readonly Automaton[];
  #layer: Prefix[] = [];
  #seen = new Set<string>();

  constructor(goal: SearchGoal, budget: StepBudget) {
    this.#goal = goal;
    this.#budget = budget;
    const programs = [...goal.match, ...goal.avoid];
    this.#alphabet = new Alphabet(programs, budget);
    this.#automata = programs.map((program) => new Automaton(program, budget));
  }

  run(): string | null | undefined {
    const { minLength, maxLength, exclude } = this.#goal;
    const trie = exclude.size > 0 ? buildTrie(exclude, this.#budget) : undefined;
    this.#meet({ states: this.#automata.map((automaton) => automaton.start()), trie, point: -1, parent: undefined });
    for (let length = 0; this.#layer.length > 0; length += 1) {
      const layer = this.#layer;
      const found = length < minLength ? undefined : layer.find((prefix) => this.#isGoal(prefix));
      if (this.#budget.left < 0) return undefined;
      if (found) return spell(found);
      if (length >= maxLength) return null;
      // Below the least length two prefixes are alike only at the same length; from there on the shorter one is as
      // good.
      if (length < minLength) this.#seen = new Set();
      this.#layer = [];
      for (const prefix of layer) {
        this.#extend(prefix);
        if (this.#budget.left < 0) return undefined;
      }
    }
    return null;
  }

  #extend(prefix: Prefix): void {
    const { letters } = this.#alphabet;
    const following = prefix.trie?.children;
    for (let letter = 0; letter < letters.length; letter += 1) {
      const point = following ? this.#alphabet.choose(letter, following) : letters[letter]!.sample;
      if (point !== undefined) this.#advance(prefix, letter, point, undefined);
    }
    for (const [point, trie] of following ?? []) this.#advance(prefix, this.#alphabet.letterOf(point), point, trie);
  }

  #advance(parent: Prefix, letter: number, point: number, trie: Trie | undefined): void {
    this.#budget.left -= 1 + this.#automata.length;
    const states: number[] = [];
    const { sample } = this.#alphabet.letters[letter]!;
    for (const [index, automaton] of this.#automata.entries()) {
      if (this.#budget.left < 0) return;
      states.push(automaton.step(parent.states[index]!, letter, sample));
    }
    this.#meet({ states, trie, point, parent });
  }

  #meet(prefix: Prefix): void {
    const isHopeless = prefix.states.some((state, index) =>
      this.#isWanted(index) ? this.#automata[index]!.isLost(state) : state === FOUND,
    );
    const key = `${prefix.states.join()}/${prefix.trie?.number ?? ''}`;
    if (isHopeless || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#layer.push(prefix);
  }

  #isGoal({ states, trie }: Prefix): boolean {
    if (trie?.isWord) return false;
    return states.every((state, index) => this.#automata[index]!.isFoundAtEnd(state) === this.#isWanted(index));
  }

  #isWanted(index: number): boolean {
    return index < this.#goal.match.length;
  }
}

function spell(last: Prefix): string {
  const points: number[] = [];
  for (let prefix: Prefix | undefined = last; prefix?.parent; prefix = prefix.parent) points.push(prefix.point);
  return points
    .reverse()
    .map((point) => String.fromCodePoint(point))
    .join('');
}
