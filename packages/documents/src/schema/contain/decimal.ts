/** A number exactly as JSON text writes it: `digits × 10^exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export function toDecimal(value: number): Decimal {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Writes the values over one common power of ten. */
export function align(values: readonly Decimal[]): { digits: bigint[]; exponent: number } {
  const exponent = Math.min(...values.map((value) => value.exponent));
  return { digits: values.map((value) => value.digits * 10n ** BigInt(value.exponent - exponent)), exponent };
}

export function toNumber(digits: bigint, exponent: number): number {
  return Number(`${digits}e${exponent}`);
}

export function lcm(a: bigint, b: bigint): bigint {
  return (a / gcd(a, b)) * b;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}
