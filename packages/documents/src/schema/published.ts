import { OLD_SCHEMA_URIS } from './dialect.ts';
import { DIALECT } from './keywords.ts';

/** What a published schema can say of a field that holds a JSON Schema: that of an older dialect is left to CM-6. */
export const JSON_SCHEMA = {
  if: { required: ['$schema'], properties: { $schema: { enum: OLD_SCHEMA_URIS } } },
  else: { $ref: DIALECT },
} as const;
