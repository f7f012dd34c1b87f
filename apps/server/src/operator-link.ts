import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The link with which the first operator registers, and the file that holds it for the user who runs the server. */
export interface OperatorLink {
  readonly link: string;
  readonly file: string;
}

export const operatorLinkIn = (dataDir: string) => join(dataDir, 'operator-link');

/** Undefined where there is an operator already, or for another user. */
export function readOperatorLink(dataDir: string): OperatorLink | undefined {
  const file = operatorLinkIn(dataDir);
  try {
    return { link: readFileSync(file, 'utf8').trim(), file };
  } catch {
    return undefined;
  }
}

/** For an operator who was named without the server. */
export function removeOperatorLink(dataDir: string): void {
  rmSync(operatorLinkIn(dataDir), { force: true });
}
