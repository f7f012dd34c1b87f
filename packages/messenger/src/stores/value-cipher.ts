import { messengerError } from '../errors.ts';

const IV = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes an AES-256-GCM key that scripts can use but not read (EE-10). */
export function generateValueKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

export interface ValueCipher {
  encrypt(key: string, value: string): Promise<Uint8Array>;
  decrypt(key: string, sealed: Uint8Array): Promise<string>;
}

/**
 * Binds each value to its key, so that values cannot be swapped. Texts are encoded as JSON, because UTF-8 has no lone
 * surrogates.
 */
export function createValueCipher(secret: CryptoKey, location: string): ValueCipher {
  const parametersOf = (key: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encoder.encode(JSON.stringify(key)),
  });
  return {
    async encrypt(key, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV));
      const ciphertext = await crypto.subtle.encrypt(
        parametersOf(key, iv),
        secret,
        encoder.encode(JSON.stringify(value)),
      );
      const sealed = new Uint8Array(IV + ciphertext.byteLength);
      sealed.set(iv);
      sealed.set(new Uint8Array(ciphertext), IV);
      return sealed;
    },
    async decrypt(key, sealed) {
      try {
        const iv = sealed.slice(0, IV);
        return JSON.parse(decoder.decode(await crypto.subtle.decrypt(parametersOf(key, iv), secret, sealed.slice(IV))));
      } catch (error) {
        throw messengerError('STORE_DAMAGED', { params: { location }, cause: error });
      }
    },
  };
}
