import type { SchemaNode } from '../node.ts';
import type { Run } from './run.ts';

/** The shortest decimal that reads back as this number, as its author wrote it: digits × 10 ^ exponent. */
function readDecimal(value: number): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(exponent) - fraction.length };
}

/** Up to this many digits, a number holds every integer exactly. */
const EXACT_DIGITS = 15;

/** Calculates exactly in decimal: 0.3 is a multiple of 0.1 although 0.3 % 0.1 is not 0. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  // JSON text can contain 1e999.
  if (!Number.isFinite(value)) return false;
  const a = readDecimal(value);
  const b = readDecimal(divisor);
  const exponent = Math.min(a.exponent, b.exponent);
  const dividend = a.digits + '0'.repeat(a.exponent - exponent);
  const scaled = b.digits + '0'.repeat(b.exponent - exponent);
  if (Math.max(dividend.length, scaled.length) <= EXACT_DIGITS) return Number(dividend) % Number(scaled) === 0;
  return BigInt(dividend) % BigInt(scaled) === 0n;
}

/** Two numbers of opposite exponents make integers of 2,000 bits. */
const FRACTION_STEPS = 40;

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
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(multipleOf)) run.spend(FRACTION_STEPS);
    return isMultiple(value, multipleOf);
  };
}
