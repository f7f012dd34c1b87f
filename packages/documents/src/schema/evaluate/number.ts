import type { SchemaNode } from '../node.ts';
import type { Run } from './run.ts';

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal that reads back as this number: what its author wrote. */
function readDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Exact in decimal: 0.3 is a multiple of 0.1 although 0.3 % 0.1 is not 0. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const a = readDecimal(value);
  const b = readDecimal(divisor);
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scale(a) % scale(b) === 0n;
}

/** Two numbers of opposite exponents make integers of 2,000 bits. */
const MULTIPLE_STEPS = 20;

export function compileNumber(node: SchemaNode): ((value: number, run: Run) => boolean) | undefined {
  const { multipleOf } = node;
  const least = node.minimum ?? Number.NEGATIVE_INFINITY;
  const above = node.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const most = node.maximum ?? Number.POSITIVE_INFINITY;
  const below = node.exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  const isBounded =
    node.minimum !== undefined ||
    node.exclusiveMinimum !== undefined ||
    node.maximum !== undefined ||
    node.exclusiveMaximum !== undefined;
  if (!isBounded && multipleOf === undefined) return undefined;

  const isWithin = (value: number) => value >= least && value > above && value <= most && value < below;
  if (multipleOf === undefined) return isWithin;
  return (value, run) => {
    if (!isWithin(value)) return false;
    run.spend(MULTIPLE_STEPS);
    return isMultiple(value, multipleOf);
  };
}
