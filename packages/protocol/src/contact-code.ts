// A contact code names an account to those who were given it, and can be replaced (AC-7).

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 10;
/** The largest prime of two letters: it tells every letter that is mistyped, and two that changed places. */
const MODULUS = 1021n;

/** The number of random bytes that a code is made of; the six bits too many are dropped. */
export const CONTACT_CODE_BYTES = 7;

export function makeContactCode(random: Uint8Array): string {
  if (random.length !== CONTACT_CODE_BYTES) throw new TypeError(`random: ${CONTACT_CODE_BYTES} bytes are needed`);
  const number = BigInt.asUintN(
    5 * LETTERS,
    random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  );
  return spell(number, LETTERS) + spell(number % MODULUS, 2);
}

/** Returns the 12 letters of a code as someone typed it; undefined if it is none. */
export function readContactCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (letters.length !== LETTERS + 2 || [...letters].some((letter) => !ALPHABET.includes(letter))) return undefined;
  const number = toNumber(letters.slice(0, LETTERS));
  return toNumber(letters.slice(LETTERS)) === number % MODULUS ? letters : undefined;
}

/** As people read it: `K7M2-Q9RX-4TZD`. */
export function formatContactCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1-');
}

function spell(number: bigint, length: number): string {
  return Array.from({ length }, (_, at) => ALPHABET[Number((number >> BigInt(5 * (length - 1 - at))) & 31n)]).join('');
}

function toNumber(letters: string): bigint {
  return [...letters].reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n);
}
