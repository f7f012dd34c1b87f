import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { Run } from './run.ts';

/**
 * The members of one array or object that have been evaluated (core, section 11), by index. A branch that fails removes
 * its marks.
 */
export class EvaluatedMembers {
  private readonly marked: Uint8Array;
  private readonly log: number[] = [];

  constructor(size: number) {
    this.marked = new Uint8Array(size);
  }

  get size(): number {
    return this.marked.length;
  }

  get places(): readonly number[] {
    return this.log;
  }

  has(place: number): boolean {
    return this.marked[place] === 1;
  }

  add(place: number): void {
    if (this.marked[place] === 1) return;
    this.marked[place] = 1;
    this.log.push(place);
  }

  addAll(): void {
    for (let place = 0; place < this.marked.length; place++) this.add(place);
  }

  save(): number {
    return this.log.length;
  }

  restore(saved: number): void {
    while (this.log.length > saved) this.marked[this.log.pop()!] = 0;
  }
}

/** Lists the members in the order of their indexes. */
export function listMembers(value: readonly Json[] | JsonObject, run: Run): readonly Json[] {
  if (isObject(value)) return run.listNames(value).map((name) => value[name]!);
  run.spend(value.length);
  return value;
}
