import { OLD_SCHEMA_URIS } from './dialect.ts';
import { DIALECT } from './keywords.ts';

/** What a published schema says about a field that holds a JSON Schema. Schemas of older dialects are left to CM-6. */
export const JSON_SCHEMA = {
  if: { required: ['$schema'], properties: { $schema: { enum: OLD_SCHEMA_URIS } } },
  else: { $ref: DIALECT },
} as const;
