import { join } from 'node:path';
import { parleyHome } from '../account/home.ts';

/** Each server has its own device with its keys, messages and audit log. */
export function deviceFolder(baseUrl: string): string {
  return join(parleyHome(), 'device', new URL(baseUrl).host.replaceAll(/[^\w.-]/g, '_'));
}
