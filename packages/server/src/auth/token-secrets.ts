import type { ServerConfig } from '../config.ts';

export type TokenSecrets = Pick<ServerConfig, 'tokenSecret' | 'acceptedTokenSecrets'>;

/** The secret that signs, then those whose signatures still count (OP-16). */
export function listTokenSecrets({ tokenSecret, acceptedTokenSecrets = [] }: TokenSecrets): readonly Uint8Array[] {
  return [tokenSecret, ...acceptedTokenSecrets];
}
