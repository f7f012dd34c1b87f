/** Can the browser read the server's JSON for passkeys itself? In older ones people sign in by password. */
export function hasPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';
}
