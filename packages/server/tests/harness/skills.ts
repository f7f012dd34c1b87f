import { randomUUID } from 'node:crypto';

/** A valid descriptor. */
export function makeDescriptor(id: string, changes: object = {}) {
  return {
    protocol: { version: '1.0.0' },
    id,
    name: 'Translator',
    version: '1.0.0',
    capability_type: 'api',
    description: 'Translates a text into another language',
    provider: { name: 'Example Corp' },
    endpoint: { url: 'https://api.example.com/invoke' },
    inputs: [{ name: 'text', type: 'string', description: 'What to translate', required: true }],
    output: { content_type: 'application/json', schema: { type: 'object' } },
    auth: { type: 'api_key', header: 'X-API-Key' },
    access: 'restricted',
    tags: ['translation'],
    ...changes,
  };
}

export const freshNamespace = () => `org.n${randomUUID().slice(0, 8)}`;
