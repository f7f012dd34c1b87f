import type { Locale } from '@parley/base';
import { hashManifest, type Json, type Manifest, type Message, validateManifest } from '@parley/documents';
import { RequestError } from '../http/request-error.ts';

export interface AcceptedManifest {
  readonly manifest: Manifest;
  readonly hash: string;
  readonly warnings: readonly Message[];
}

/**
 * Checks a manifest of any origin (CM-1…CM-16). An invalid one is refused with all findings. `platform` is only for the
 * manifest that comes with the server itself, never for a submitted one (CM-10).
 */
export function acceptManifest(value: unknown, locale: Locale, { platform = false } = {}): AcceptedManifest {
  const { manifest, findings } = validateManifest(value, { locale, platform });
  if (manifest === undefined) throw refuse(findings);
  if (holdsNul(manifest as Json)) {
    // jsonb cannot store U+0000. No manifest needs it, and its author would not find it by a path in the findings.
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'body', keyword: 'nul_character' }] } });
  }
  return { manifest, hash: hashManifest(manifest as Json), warnings: findings };
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

/** Matches U+0000 in JSON text: an escape whose backslash is not itself escaped. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;
function holdsNul(value: Json): boolean {
  return NUL.test(JSON.stringify(value));
}
