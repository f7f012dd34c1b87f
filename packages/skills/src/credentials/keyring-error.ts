export type KeyringErrorCode = 'KEYRING_UNSAFE' | 'KEYRING_INVALID';

const TEXTS: Readonly<Record<KeyringErrorCode, string>> = {
  KEYRING_UNSAFE: 'may be read by others or is no regular file of yours. Run chmod 600 on it.',
  KEYRING_INVALID: 'is not a map from origin, such as "https://api.example.com", to credentials.',
};

/** Names the place, never its content. */
export class KeyringError extends Error {
  readonly code: KeyringErrorCode;

  constructor(code: KeyringErrorCode, place: string) {
    super(`${place} ${TEXTS[code]}`);
    this.name = 'KeyringError';
    this.code = code;
  }
}
