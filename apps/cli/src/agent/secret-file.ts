import { prepareFile } from '../write-file.ts';
import { checkPlain } from './plain-value.ts';

/** A new file with nothing but a secret, which nobody else can read. It can be written before the secret is made. */
export function prepareSecretFile(file: string, name: string) {
  const prepared = prepareFile(file, { replace: false, mode: 0o600 });
  return {
    keep(secret: string): void {
      checkPlain(name, secret);
      prepared.write(`${secret}\n`);
    },
    discard: prepared.discard,
  };
}
