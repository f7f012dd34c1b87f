import type { Payload } from '@parley/protocol';

/** One line about a message. */
export function plainText(payload: Payload): string {
  switch (payload.type) {
    case 'text':
      return payload.text;
    case 'artifact': {
      const { artifact } = payload;
      if ('tool_name' in artifact) return artifact.tool_name;
      return 'title' in artifact ? (artifact.title ?? artifact.subtype) : artifact.subtype;
    }
    case 'system':
      return payload.code;
    default:
      return payload.name;
  }
}
