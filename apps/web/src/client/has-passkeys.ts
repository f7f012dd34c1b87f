/** Returns whether the browser can parse the server's JSON for passkeys. In older browsers people sign in by password. */
export function hasPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';
}
