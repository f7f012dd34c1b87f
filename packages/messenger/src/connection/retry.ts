import { addJitter, createRetrier, type Retrier } from '@parley/base';
import type { Platform } from '../platform.ts';

/** The delays between attempts to reconnect (TR-2). */
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Returns how long to wait before the next attempt. */
export function retryDelay(attempt: number, platform: Pick<Platform, 'crypto'>): number {
  return addJitter(DELAYS_MS[Math.min(attempt, DELAYS_MS.length - 1)]!, random(platform));
}

export function createServerRetrier(platform: Pick<Platform, 'crypto' | 'setTimer'>): Retrier {
  return createRetrier({ delaysMs: DELAYS_MS, random: () => random(platform), setTimer: platform.setTimer });
}

function random({ crypto }: Pick<Platform, 'crypto'>): number {
  const [a, b] = crypto.randomBytes(2);
  return (a! * 256 + b!) / 65_536;
}
