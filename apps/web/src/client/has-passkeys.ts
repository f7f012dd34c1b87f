/** Browsers that speak the JSON of the server themselves; older ones sign in by password. */
export function hasPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';
}
