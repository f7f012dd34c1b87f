import type { Json } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import type { EvaluatedMembers } from './evaluated-members.ts';
import type { Run } from './run.ts';

/**
 * Tests one value against one schema. `marks` is given if an `unevaluated…` keyword above needs the evaluated members.
 */
export type Test<V extends Json = Json> = (value: V, run: Run, marks?: EvaluatedMembers) => boolean;

export type Compile = (node: SchemaNode) => Test;
