import type { Json } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import type { Marks } from './marks.ts';
import type { Run } from './run.ts';

/** Decides one schema on one value. `marks` is given where an `unevaluated…` keyword above wants to know. */
export type Test<V extends Json = Json> = (value: V, run: Run, marks?: Marks) => boolean;

export type Compile = (node: SchemaNode) => Test;
