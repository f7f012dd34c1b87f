/** Appends one step to a JSON Pointer (RFC 6901, section 3: `~` before `/`). */
export function join(pointer: string, step: string | number): string {
  if (typeof step === 'number') return `${pointer}/${step}`;
  return `${pointer}/${step.includes('~') || step.includes('/') ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step}`;
}

/** Splits a JSON Pointer into its unescaped steps; returns undefined if it is malformed. */
export function split(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
