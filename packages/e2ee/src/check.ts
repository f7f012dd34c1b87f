/** A programmer's mistake is reported with the argument's name. The value may be a key, so it never appears. */
export function checkBytes(value: unknown, name: string, length?: number): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
  if (length !== undefined && value.length !== length) throw new TypeError(`${name} must have ${length} bytes`);
}

export function checkPair(pair: { publicKey: unknown; privateKey: unknown } | undefined, name: string): void {
  checkBytes(pair?.publicKey, `${name}.publicKey`, 32);
  checkBytes(pair?.privateKey, `${name}.privateKey`, 32);
}
