const FIRST_CAPACITY = 4096;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_ESCAPE = 6;
const PIECE = 4096;

/** Escapes by character code, as in ECMAScript and so in RFC 8785 (section 3.2.2.2). */
const ESCAPES = Array.from({ length: BACKSLASH + 1 }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1),
);

/**
 * A growing buffer of UTF-8. It has bytes instead of a string because a hash needs bytes: joining a string of thousands
 * of pieces and encoding it costs more than writing each character once.
 */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get capacity(): number {
    return this.#bytes.length;
  }

  /** The bytes that are written so far; the next write may change them. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  writeByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  writeAscii(text: string): void {
    for (let index = 0; index < text.length; index++) this.writeByte(text.charCodeAt(index));
  }

  /** Writes the text in quotes. Returns false if it has a lone surrogate, which UTF-8 cannot hold. */
  writeString(text: string): boolean {
    this.writeByte(QUOTE);
    for (let start = 0; start < text.length; ) {
      start = this.#writePiece(text, start);
      if (start < 0) return false;
    }
    this.writeByte(QUOTE);
    return true;
  }

  /**
   * Returns where the next piece starts, or -1 if there is a lone surrogate. The capacity is reserved once for a whole
   * piece: checking it for each character makes the loop three times as slow.
   */
  #writePiece(text: string, start: number): number {
    const end = Math.min(start + PIECE, text.length);
    this.#reserve((end - start) * MAX_ESCAPE);
    const bytes = this.#bytes;
    let at = this.#length;
    let index = start;
    for (; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x80) {
        if (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) {
          bytes[at++] = code;
        } else {
          const escaped = ESCAPES[code]!;
          for (let place = 0; place < escaped.length; place++) bytes[at++] = escaped.charCodeAt(place);
        }
      } else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else if (code < 0xd800 || code > 0xdfff) {
        bytes[at++] = 0xe0 | (code >> 12);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else {
        const point = text.codePointAt(index)!;
        if (point === code) return -1;
        bytes[at++] = 0xf0 | (point >> 18);
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[at++] = 0x80 | (point & 0x3f);
        index++;
      }
    }
    this.#length = at;
    return index;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.written);
    this.#bytes = larger;
  }
}
