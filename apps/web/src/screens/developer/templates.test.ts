import { validateManifest } from '@parley/documents';
import { describe, expect, it } from 'vitest';
import { TEMPLATES } from './templates.ts';

describe('CM-1 templates', () => {
  it.each(Object.entries(TEMPLATES))('CM-1 the template %s has nothing wrong with it', (_name, manifest) => {
    expect(validateManifest(manifest)).toMatchObject({ valid: true, findings: [] });
  });
});
