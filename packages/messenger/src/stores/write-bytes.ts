/** Writes some of the bytes and returns how many, like `writeSync` of Node, whose types are not named here. */
export type WriteBytes = (descriptor: number, bytes: Uint8Array, from: number, position: number | null) => number;
