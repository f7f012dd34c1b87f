const MASK = '[secret]';
const MAX_DEPTH = 8;

/**
 * The same error, and its causes, without secrets: an `ApiError` is logged with all of its causes, and what a platform
 * writes into an error (an address, a header) is not ours to know.
 */
export function withoutSecrets(error: unknown, secrets: readonly string[], depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth === MAX_DEPTH) return undefined;
  const clean = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
  const cause = withoutSecrets(error.cause, secrets, depth + 1);
  const copy = new Error(clean(error.message), cause === undefined ? {} : { cause });
  copy.name = error.name;
  if (error.stack !== undefined) copy.stack = clean(error.stack);
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') Object.assign(copy, { code: clean(code) });
  if (error instanceof AggregateError) {
    const several = (error.errors as unknown[]).map((one) => withoutSecrets(one, secrets, depth + 1));
    Object.assign(copy, { errors: several.filter((one) => one !== undefined) });
  }
  return copy;
}
