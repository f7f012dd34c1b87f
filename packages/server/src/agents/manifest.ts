import type { Locale } from '@parley/base';
import type { Manifest, Message } from '@parley/documents';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';

export interface AcceptedManifest {
  readonly manifest: Manifest;
  /** The same as JSON. */
  readonly text: string;
  readonly hash: string;
  readonly warnings: readonly Message[];
}

interface Submitted {
  readonly value: unknown;
  /** The owner of the agent, whose processor time it costs. */
  readonly account: string;
  readonly locale: Locale;
  /** Only for the manifest that comes with the server itself, never for a submitted one (CM-10). */
  readonly platform?: boolean;
}

/** Checks a manifest of any origin (CM-1…CM-16). An invalid one is refused with all findings. */
export async function acceptManifest(
  { manifests }: Pick<Platform, 'manifests'>,
  { value, account, locale, platform = false }: Submitted,
): Promise<AcceptedManifest> {
  const text = JSON.stringify(value);
  const { findings, hash, holdsNul } = await manifests.check(account, { text, locale, platform });
  if (hash === undefined) throw refuse(findings);
  if (holdsNul) {
    // jsonb cannot store U+0000. No manifest needs it, and its author would not find it by a path in the findings.
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'body', keyword: 'nul_character' }] } });
  }
  return { manifest: value as Manifest, text, hash, warnings: findings };
}

function refuse(findings: readonly Message[]): RequestError {
  const details = { findings };
  const errors = findings.filter((finding) => finding.severity === 'error');
  for (const { code, params } of errors) {
    if (code === 'MANIFEST_TOO_LARGE' || code === 'MANIFEST_SCHEMA_VERSION_UNSUPPORTED') {
      return new RequestError(code, params, { details });
    }
  }
  return new RequestError('MANIFEST_INVALID', { error_count: errors.length }, { details });
}
