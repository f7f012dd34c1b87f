import type { Locale } from '@parley/base';
import { hashManifest, type Json, type Manifest, type Message, validateManifest } from '@parley/documents';
import { RequestError } from '../http/request-error.ts';

export interface AcceptedManifest {
  readonly manifest: Manifest;
  readonly hash: string;
  readonly warnings: readonly Message[];
}

/**
 * Checks a manifest of any origin (CM-1…CM-16). A wrong one is refused with every finding. `platform` is for
 * the manifest that comes with the server itself, never for one that was sent to it (CM-10).
 */
export function acceptManifest(value: unknown, locale: Locale, { platform = false } = {}): AcceptedManifest {
  const { manifest, findings } = validateManifest(value, { locale, platform });
  if (manifest === undefined) throw refuse(findings);
  if (holdsNul(manifest as Json)) {
    // jsonb cannot store it. No manifest needs one, and no author would find it in a list of findings' paths.
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

/** As JSON text writes it: an escape whose backslash is not escaped itself. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;
function holdsNul(value: Json): boolean {
  return NUL.test(JSON.stringify(value));
}
