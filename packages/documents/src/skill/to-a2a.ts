import type { SkillDescriptor } from './descriptor.ts';

/** A skill as an A2A agent card lists it (protocol 1.0; older readers ignore unknown fields). */
export interface A2aSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly securityRequirements: readonly { readonly schemes: Readonly<Record<string, { list: readonly string[] }>> }[];
}

export function toA2aSkill(descriptor: SkillDescriptor): A2aSkill {
  const { id, name, description, tags, capability_type, output, auth } = descriptor;
  const scopes = Object.keys(auth.oauth2?.scopes ?? {});
  return {
    id,
    name,
    description,
    // A skill of a card must have at least one tag.
    tags: tags !== undefined && tags.length > 0 ? tags : [capability_type],
    examples: [],
    inputModes: ['application/json'],
    outputModes: [output.content_type],
    securityRequirements: auth.type === 'none' ? [] : [{ schemes: { [auth.type]: { list: scopes } } }],
  };
}
