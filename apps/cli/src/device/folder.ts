import { join } from 'node:path';
import { parleyHome } from '../account/home.ts';

/** One device for each server: its keys, its messages, its audit log. */
export function deviceFolder(baseUrl: string): string {
  return join(parleyHome(), 'device', new URL(baseUrl).host.replaceAll(/[^\w.-]/g, '_'));
}
