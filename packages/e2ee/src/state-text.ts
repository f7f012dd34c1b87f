import { fromBase64Url, toBase64Url } from './bytes.ts';

// Writes states as text for a keystore. The text holds private keys; the keystore protects it (EE-10).

const BYTES = '$bytes';
const MAP = '$map';
const SET = '$set';

/** Writes a peer, a group or own keys: plain objects and lists, bytes, maps and sets. */
export function writeState(state: object): string {
  return JSON.stringify(state, (_, value: unknown) => {
    if (value instanceof Uint8Array) return { [BYTES]: toBase64Url(value) };
    if (value instanceof Map) return { [MAP]: [...value] };
    if (value instanceof Set) return { [SET]: [...value] };
    return value;
  });
}

/** Throws a SyntaxError, without the text, for what `writeState` did not write. */
export function readState<State extends object>(text: string): State {
  try {
    return JSON.parse(text, (_, value: unknown) => revive(value)) as State;
  } catch {
    throw new SyntaxError('the state cannot be read');
  }
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (BYTES in value) return fromBase64Url(value[BYTES] as string) ?? fail();
  if (MAP in value) return new Map(value[MAP] as [unknown, unknown][]);
  if (SET in value) return new Set(value[SET] as unknown[]);
  return value;
}

function fail(): never {
  throw new SyntaxError();
}
