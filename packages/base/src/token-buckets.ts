import { createLru } from './lru.ts';

/** What a bucket holds when it is full, and how much flows into it. */
export interface BucketSize {
  readonly capacity: number;
  readonly perSecond: number;
}

/**
 * Buckets of tokens by key. A bucket gives what is asked for as long as it is not empty, and is in debt afterwards if it
 * held less: so nothing is too large ever to be given, and the average is exact.
 */
export interface TokenBuckets {
  /** Returns 0 if it was taken, otherwise the milliseconds until the bucket is out of debt; then nothing was taken. */
  take(key: string, amount: number, size: BucketSize): number;
  /** Takes it in any case: what it costs was known only afterwards. */
  charge(key: string, amount: number, size: BucketSize): void;
  /** How much is missing until the bucket is full. */
  used(key: string, size: BucketSize): number;
}

export interface TokenBucketsOptions {
  /** Beyond this the bucket that was not used for the longest time is forgotten, and so is full. */
  readonly maxKeys: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
}

export function createTokenBuckets({ maxKeys, now }: TokenBucketsOptions): TokenBuckets {
  const buckets = createLru<string, { level: number; at: number }>(maxKeys);
  const fill = (key: string, { capacity, perSecond }: BucketSize) => {
    const time = now();
    const bucket = buckets.get(key) ?? { level: capacity, at: time };
    const passed = Math.max(0, time - bucket.at);
    bucket.level = Math.min(capacity, bucket.level + (passed / 1_000) * perSecond);
    bucket.at = time;
    return bucket;
  };
  const charge: TokenBuckets['charge'] = (key, amount, size) => {
    const bucket = fill(key, size);
    bucket.level -= amount;
    buckets.set(key, bucket);
  };
  return {
    charge,
    take: (key, amount, size) => {
      const { level } = fill(key, size);
      if (level <= 0) return Math.max(1, (-level / size.perSecond) * 1_000);
      charge(key, amount, size);
      return 0;
    },
    used: (key, size) => Math.max(0, size.capacity - fill(key, size).level),
  };
}
