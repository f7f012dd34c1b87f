import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { MANIFEST_SCHEMA } from '@parley/documents';
import { describe, expect, it } from 'vitest';
import { completeFromSchema } from './schema-completion.ts';

/** Completes at the bar, which marks the cursor. */
function complete(marked: string): string[] {
  const pos = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  ensureSyntaxTree(state, state.doc.length);
  const result = completeFromSchema(MANIFEST_SCHEMA)(
    new CompletionContext(state, pos, true),
  ) as CompletionResult | null;
  return result?.options.map(({ label }) => label) ?? [];
}

describe('CM-1 the editor knows the manifest', () => {
  it('CM-1 offers the names that are not there yet', () => {
    expect(complete('{ "schema_version": "1.0", | }')).toEqual(
      expect.arrayContaining(['"agent_version"', '"tools"', '"permission_scopes"', '"capability_flags"']),
    );
    expect(complete('{ "schema_version": "1.0", | }')).not.toContain('"schema_version"');
    expect(complete('{ "tools": [{ "na|" }] }')).toContain('"name"');
  });

  it('CM-9 offers the values of an enumeration', () => {
    expect(complete('{ "permission_scopes": [{ "sensitivity": "|" }] }')).toEqual(['"low"', '"medium"', '"high"']);
    expect(complete('{ "permission_scopes": [{ "sensitivity": | }] }')).toEqual(['"low"', '"medium"', '"high"']);
    expect(complete('{ "schema_version": "|" }')).toEqual(['"1.0"']);
    expect(complete('{ "tools": [{ "required": | }] }')).toEqual(['true', 'false']);
  });

  it('CM-7 says nothing about places it does not know, such as those of a hostile name', () => {
    expect(complete('{ "constructor": { | } }')).toEqual([]);
    expect(complete('{ "__proto__": { | } }')).toEqual([]);
  });
});
