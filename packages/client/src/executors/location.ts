import type { Json, JsonObject } from '@parley/documents';
import { defineArguments } from './arguments.ts';
import { ExecutorError } from './types.ts';

export interface Position {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy?: number;
}

const readArguments = defineArguments<Record<string, never>>({});

export function checkLocationArguments(args: JsonObject): void {
  readArguments(args);
}

export function toLocationResult({ latitude, longitude, accuracy }: Position): Json {
  const isWithin = (value: number, limit: number) => Number.isFinite(value) && Math.abs(value) <= limit;
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) throw new ExecutorError('The location is not known.');
  const known = accuracy !== undefined && Number.isFinite(accuracy) && accuracy >= 0;
  return { latitude, longitude, ...(known ? { accuracy } : {}) };
}
