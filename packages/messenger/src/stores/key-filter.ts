import { crc32 } from 'node:zlib';

// A Bloom filter: with ten bits for each key and five probes, one in a hundred absent keys seems to be there.
const BITS_PER_KEY = 10;
const PROBES = 5;

export function createKeyFilter(keys: readonly string[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((keys.length * BITS_PER_KEY) / 8));
  for (const key of keys) {
    const hash = crc32(key);
    for (let n = 0; n < PROBES; n++) {
      const bit = probe(hash, n, filter);
      filter[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return filter;
}

/** False only if the key is not there. An empty filter knows nothing. */
export function mayHold(filter: Uint8Array, key: string): boolean {
  if (filter.length === 0) return true;
  const hash = crc32(key);
  for (let n = 0; n < PROBES; n++) {
    const bit = probe(hash, n, filter);
    if ((filter[bit >> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** The distance from each probe to the next is the checksum with its bits in another order. */
const probe = (hash: number, n: number, { length }: Uint8Array): number =>
  (hash + n * (((hash >>> 17) | (hash << 15)) >>> 0)) % (length * 8);
