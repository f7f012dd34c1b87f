import { type BundleValidation, toValidationReply } from '@parley/documents/bundle';
import type { bundleRoutes, ReplyOf } from '@parley/protocol';
import type { Selectable } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import { type PublisherRow, wirePublisher } from '../people/publisher.ts';
import type { Database } from '../storage/tables.ts';

// Only this file converts rows to what is sent.

type Summary = ReplyOf<typeof bundleRoutes.searchBundles>['bundles'][number];
export type SummaryRow = Omit<Selectable<Database['bundles']>, 'search' | 'version'> &
  PublisherRow & { version: string };
type VersionRow = Pick<Selectable<Database['bundle_versions']>, 'version' | 'digest' | 'yanked' | 'created_at'>;

export function wireSummary(row: SummaryRow, readerId?: string): Summary {
  const { id, version, name, summary, author, category, tags, risk, digest, updated_at } = row;
  return {
    id,
    version,
    name,
    summary,
    author,
    owner: wirePublisher(row, readerId),
    category,
    tags,
    risk: risk as Summary['risk'],
    digest,
    updatedAt: updated_at.toISOString(),
  };
}

export function wireVersion({ version, digest, yanked, created_at }: VersionRow) {
  return { version, digest, yanked, createdAt: created_at.toISOString() };
}

/** Builds the 422 reply `{ error, validation }` (BA-2). */
export function invalidBundle(validation: BundleValidation): RequestError {
  const params = { error_count: validation.errors.length };
  return new RequestError('BUNDLE_INVALID', params, { details: { validation: toValidationReply(validation) } });
}
