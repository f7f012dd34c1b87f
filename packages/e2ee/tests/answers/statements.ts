import { toBase64Url } from '../../src/bytes.ts';
import type { KeyPair } from '../../src/provider/crypto.ts';

interface Codec<S> {
  bytesOf(statement: S): Uint8Array;
  hashOf(statement: S): string;
}

/** Statements by name, each after another one: a tree, because those that attackers make branch off. */
export class Statements<S extends { readonly seq: number }> {
  private readonly byName = new Map<string, { readonly statement: S; readonly after: string | undefined }>();
  private readonly codec: Codec<S>;

  constructor(codec: Codec<S>) {
    this.codec = codec;
  }

  /** Where the next one stands. */
  placeAfter(name: string | undefined): { seq: number; prev: string | null } {
    if (name === undefined) return { seq: 1, prev: null };
    const before = this.get(name);
    return { seq: before.seq + 1, prev: this.codec.hashOf(before) };
  }

  put(name: string, after: string | undefined, statement: S): void {
    if (this.byName.has(name)) throw new Error(`there are two of ${name}`);
    this.byName.set(name, { statement, after });
  }

  get(name: string): S {
    return this.find(name).statement;
  }

  hash(name: string): string {
    return this.codec.hashOf(this.get(name));
  }

  /** The names from the first one to this one. */
  upTo(name: string): string[] {
    const { after } = this.find(name);
    return after === undefined ? [name] : [...this.upTo(after), name];
  }

  toJson(): object {
    const decoder = new TextDecoder();
    const written = [...this.byName].map(([name, { statement }]) => [
      name,
      { statement, signed: decoder.decode(this.codec.bytesOf(statement)), hash: this.codec.hashOf(statement) },
    ]);
    return Object.fromEntries(written);
  }

  private find(name: string) {
    const found = this.byName.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }
}

export const pairToJson = ({ privateKey, publicKey }: KeyPair) => ({
  private_key: toBase64Url(privateKey),
  public_key: toBase64Url(publicKey),
});

/** A second apart each, so that no two are the same. */
export const timeOf = (seq: number) => new Date(Date.UTC(2026, 0, 2) + seq * 1_000).toISOString();
