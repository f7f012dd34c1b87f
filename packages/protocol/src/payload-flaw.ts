/** How deep the payload of a message may be nested (EE-26). */
export const MAX_NESTING = 64;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** `nesting`: deeper than can safely be handled; `canonical_form`: RFC 8785 has no form for a value in it. */
export type PayloadFlaw = 'nesting' | 'canonical_form';

/** Looks at a value that JSON.parse made of a stranger's text, before anything else does. */
export function findFlaw(value: unknown, depth = 0): PayloadFlaw | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? 'canonical_form' : undefined;
  // JSON has no infinity, but `1e999` becomes one.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'canonical_form';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_NESTING) return 'nesting';
  let found: PayloadFlaw | undefined;
  for (const [key, inside] of Object.entries(value)) {
    const flaw = findFlaw(inside, depth + 1) ?? (LONE_SURROGATE.test(key) ? 'canonical_form' : undefined);
    if (flaw === 'nesting') return flaw;
    found ??= flaw;
  }
  return found;
}

/** Makes the same call without its arguments, so that it can at least be answered (CG-16). */
export function withoutArguments(value: unknown): unknown {
  const { type, artifact } = (value ?? {}) as { type?: unknown; artifact?: Record<string, unknown> | null };
  const { subtype, call_id, tool_name, permission_scope, timeout_ms, expires_at } = artifact ?? {};
  const call = { subtype, call_id, tool_name, arguments: {}, permission_scope, timeout_ms };
  return { type, artifact: expires_at === undefined ? call : { ...call, expires_at } };
}
