import { type Crypto, generateEd25519, keyFingerprint } from '@parley/e2ee';
import { browserCrypto } from '@parley/e2ee/browser';
import { nodeCrypto } from '@parley/e2ee/node';

const fingerprintWith = (crypto: Crypto, key: Uint8Array): string => keyFingerprint(crypto, { id: 'somebody', key });
const { publicKey } = generateEd25519(nodeCrypto);
if (fingerprintWith(nodeCrypto, publicKey) !== fingerprintWith(browserCrypto, publicKey))
  throw new Error('they differ');
