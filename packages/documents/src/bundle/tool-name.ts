import { sha256Hex } from '../json/sha256.ts';

const MAX_LENGTH = 32;
const TOOL_NAME = /^[a-z][a-z0-9_]{1,31}$/;
const PREFIX = 'kit_';

/**
 * Gives every kit a name that CM-4 allows (BA-7). A kit whose id is such a name keeps it, wherever it is; the others
 * get the same name again as long as the bundle's ids are the same.
 */
export function nameTools(ids: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const id of ids) if (TOOL_NAME.test(plain(id))) names.set(id, plain(id));
  const taken = new Set(names.values());
  for (const id of ids) {
    if (names.has(id)) continue;
    const name = choose(id, taken);
    names.set(id, name);
    taken.add(name);
  }
  return names;
}

function plain(id: string): string {
  return id.replaceAll('-', '_');
}

function choose(id: string, taken: ReadonlySet<string>): string {
  const wanted = /^[a-z]/.test(id) && id.length > 1 ? plain(id) : `${PREFIX}${plain(id)}`;
  if (wanted.length <= MAX_LENGTH && !taken.has(wanted)) return wanted;
  for (let digits = 6; ; digits++) {
    const ending = `_${sha256Hex(id).slice(0, digits)}`;
    const name = `${wanted.slice(0, MAX_LENGTH - ending.length)}${ending}`;
    if (!taken.has(name)) return name;
  }
}
