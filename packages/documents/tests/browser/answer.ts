import { LOCALES } from '@parley/base';
import {
  canonicalise,
  compileCheck,
  diffManifests,
  hashCanonical,
  hashManifest,
  type Json,
  type Manifest,
  parseManifest,
  previewConsent,
  readSchema,
  renderDiff,
  renderPreview,
  validateManifest,
} from '../../src/index.ts';

export interface Questions {
  /** Texts of manifests by name; the valid ones are also compared, each with each. */
  readonly manifests: Readonly<Record<string, string>>;
  /** Files that may be anything, in base64. */
  readonly files: readonly string[];
  readonly checks: readonly { readonly schema: Json; readonly values: readonly Json[] }[];
  readonly texts: readonly string[];
}

export type Answers = ReturnType<typeof answer>;

/** Everything the engine has to say, as data. Runs in Node and in the page, and must say the same. */
export function answer({ manifests, files, checks, texts }: Questions) {
  const read = Object.entries(manifests).map(([name, text]) => ({ name, ...readManifest(text) }));
  const valid = read.flatMap(({ name, manifest }) => (manifest ? [{ name, manifest }] : []));
  return {
    manifests: read,
    diffs: valid.flatMap((before) => valid.map((after) => compare(before, after))),
    files: files.map((base64) => readManifest(decode(base64))),
    checks: checks.map(({ schema, values }) => checkAll(schema, values)),
    hashes: texts.map((text) => hashCanonical(text)),
  };
}

function readManifest(text: string | Uint8Array) {
  const parsed = parseManifest(text);
  if (!parsed.ok) return { parsed };
  const validations = LOCALES.map((locale) => validateManifest(parsed.value, { locale }));
  const manifest = validations[0]!.manifest;
  const previews = manifest ? LOCALES.map((locale) => previewConsent(manifest, locale)) : [];
  return {
    parsed,
    canonical: canonicalise(parsed.value),
    hash: hashManifest(parsed.value),
    validations,
    manifest,
    previews,
    previewTexts: previews.map((preview) => renderPreview(preview)),
  };
}

interface Named {
  readonly name: string;
  readonly manifest: Manifest;
}

function compare(before: Named, after: Named) {
  const diffs = (['spec', 'guide'] as const).flatMap((policy) =>
    LOCALES.map((locale) => {
      const diff = diffManifests(before.manifest, after.manifest, { policy, locale });
      return { diff, text: renderDiff(diff, locale) };
    }),
  );
  return { before: before.name, after: after.name, diffs };
}

function checkAll(schema: Json, values: readonly Json[]) {
  const { root, problems } = readSchema(schema);
  const check = root && compileCheck(root);
  return { problems, results: check ? values.map((value) => check(value)) : [] };
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
