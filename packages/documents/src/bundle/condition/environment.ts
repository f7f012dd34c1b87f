import { CelScalar, type CelValue, celEnv, celFunc, celList, listType } from '@bufbuild/cel';
import { compilePattern } from '../../schema/pattern.ts';
import { type Meter, sizeOf } from './meter.ts';

export type Environment = ReturnType<typeof celEnv>;

/** No expression can contain these names; `instrument` inserts calls of them. */
export const STEP = '@step';
export const RANGE = '@range';

const { BOOL, DYN, INT } = CelScalar;
const LIST = listType(DYN);

let plain: Environment | undefined;

/**
 * The functions that expressions may call, without a meter. It is built on first use: loading a module does nothing.
 */
export function plainEnvironment(): Environment {
  plain ??= celEnv();
  return plain;
}

/** The same functions, where every call is charged. Each evaluation needs its own environment. */
export function meteredEnvironment(meter: Meter): Environment {
  const env = celEnv({
    re2: { compile: (source) => compileMetered(source, meter) },
    funcs: [
      // The library's own concatenation is lazy: a list of n pieces nests n deep and is slow to walk.
      celFunc('_+_', [LIST, LIST], LIST, (left, right) => celList([...left, ...right])),
      celFunc(STEP, [INT], BOOL, () => true),
      celFunc(RANGE, [DYN], DYN, (range) => range),
    ],
  });
  const find = env.funcs.find.bind(env.funcs);
  env.funcs.find = (name) => {
    const group = find(name);
    if (group === undefined) return undefined;
    return {
      name,
      [Symbol.iterator]: () => group[Symbol.iterator](),
      call(id, target, args) {
        const values: CelValue[] = target === undefined ? args : [target, ...args];
        if (name === STEP) meter.spend(Number(args[0]));
        else meter.spendCall(name, values);
        return group.call(id, target, args);
      },
    };
  };
  return env;
}

function compileMetered(source: string, meter: Meter) {
  const pattern = compilePattern(source);
  if (pattern === undefined) throw new Error('the pattern is not RE2 syntax, or too large');
  meter.spend(pattern.cost);
  return {
    test(text: string) {
      meter.spend(Math.ceil((pattern.cost * sizeOf(text)) / 64));
      return pattern.test(text);
    },
  };
}
