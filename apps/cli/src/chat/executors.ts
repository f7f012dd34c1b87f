import { resolve } from 'node:path';
import type { Executor } from '@parley/client';
import { type NodeExecutorOptions, nodeExecutors } from '@parley/client/node';
import { parleyHome } from '../account/home.ts';
import { CommandError } from '../command-error.ts';

export interface ExecutorOptions {
  readonly allowDir?: readonly string[];
  readonly location?: string;
  readonly allowPrivateAddresses?: boolean;
}

/** The executors of this device. Files can be read only below the given folders, and never in the keystore. */
export function chooseExecutors(
  { allowDir = [], location, allowPrivateAddresses = false }: ExecutorOptions,
  notify: NonNullable<NodeExecutorOptions['notify']>,
): readonly Executor[] {
  const never = [parleyHome(), ...(process.env.PARLEY_KEYSTORE ? [process.env.PARLEY_KEYSTORE] : [])];
  return nodeExecutors({
    notify,
    files: { roots: allowDir.map((folder) => resolve(folder)), never },
    network: { allowPrivate: allowPrivateAddresses },
    ...(location === undefined ? {} : { location: readLocation(location) }),
  });
}

function readLocation(text: string) {
  const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d+)?),\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const place = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!(Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180)) {
    throw new CommandError('USAGE', { sentences: [{ key: 'chat.location_invalid' }] });
  }
  return place;
}
