import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 8;

/**
 * Eight letters that tell two accounts of the same name apart. Ids have 74 random bits, which the server draws: a mark
 * neither leads to one (AC-7), nor can an account be made that has the mark of another.
 */
function accountMark(accountId: string): string {
  const digest = createHash('sha256').update(`parley account mark ${accountId}`).digest();
  const letters = [...digest.subarray(0, LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`;
}

export interface PublisherRow {
  readonly owner_id: string;
  readonly owner_name: string;
}

/** The id is for the account itself only (AC-7). */
export function wirePublisher({ owner_id, owner_name }: PublisherRow, readerId?: string) {
  return {
    ...(owner_id === readerId ? { user_id: owner_id } : {}),
    display_name: owner_name,
    account_mark: accountMark(owner_id),
  };
}
