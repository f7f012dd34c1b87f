import type { SkillDescriptor } from '@parley/documents/skill';

/** A small valid descriptor to start from. */
export const EXAMPLE: SkillDescriptor = {
  protocol: { version: '1.0.0' },
  id: 'com.example.translate',
  name: 'Translate',
  version: '1.0.0',
  capability_type: 'api',
  description: 'Translates a text into another language.',
  provider: { name: 'Example' },
  endpoint: { url: 'https://api.example.com/translate' },
  inputs: [
    { name: 'text', type: 'string', description: 'What to translate', required: true },
    {
      name: 'to',
      type: 'string',
      description: 'Into which language',
      required: false,
      default: 'en',
      schema: { enum: ['en', 'zh-CN', 'fr'] },
    },
  ],
  output: {
    content_type: 'application/json',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  auth: { type: 'api_key', header: 'X-API-Key' },
  access: 'restricted',
  tags: ['translation'],
};
