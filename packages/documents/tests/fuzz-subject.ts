import type { Subject } from '@parley/testkit';
import { createSubject } from '../../../scripts/fuzz/subject.mjs';
import { createSchemaDiff } from '../src/schema/diff/index.ts';
import { compileCheck } from '../src/schema/evaluate.ts';
import { readSchema } from '../src/schema/read.ts';

/** The engine as these sources have it. */
export const subject: Subject = createSubject({ createSchemaDiff, readSchema, compileCheck });
