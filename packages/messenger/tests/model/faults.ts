import type { Verify } from '@parley/protocol';
import { REAL, type Rules } from './rules.ts';
import { accountKey, RECOVERY_KEY, signWith } from './symbols.ts';

type Judge = Rules['judgeList'];

/** A judge that changes what the real one says. */
const judging = (
  change: (...told: [...Parameters<Judge>, ReturnType<Judge>]) => ReturnType<Judge>,
): Partial<Rules> => ({
  judgeList: (known, offered) => change(known, offered, REAL.judgeList(known, offered)),
});

/** One that also takes what the other says. */
const alsoTaking =
  (isTaken: Verify): Verify =>
  (...told) =>
    REAL.verifyList(...told) || isTaken(...told);

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const ACCOUNT_KEY = accountKey('A', '').slice(0, 11);
/** By some account key, whichever it was. */
const isByAccount: Verify = (_, bytes, signature) => {
  const key = signature.slice(0, signature.lastIndexOf(' '));
  return key.startsWith(ACCOUNT_KEY) && signature === signWith(key, bytes);
};

/** Each takes one check away. The model has to find out what comes of it: an attack, and the invariant that it breaks. */
export const FAULTS: readonly (readonly [name: string, invariant: string, faulty: Partial<Rules>])[] = [
  ['no signature of the list is verified', '(b)', { verifyList: () => true }],
  ['an account key that was replaced goes on to sign', '(b)', { verifyList: alsoTaking(isByAccount) }],
  [
    'the account key may recover, too',
    '(b)',
    { verifyList: alsoTaking((key, bytes, signature) => key === RECOVERY_KEY && isByAccount(key, bytes, signature)) },
  ],
  [
    'a list may begin without the recovery key',
    '(d)',
    { verifyList: alsoTaking((key, bytes) => key === RECOVERY_KEY && textOf(bytes).includes('"action":"create"')) },
  ],
  ['only who revokes a keeper replaces the account key', '(b)', { rotates: 'keepers' }],
  ['keys are let in that the code does not fit', '(b)', { isPairingRequest: () => true }],
  [
    'a welcome is opened without the code',
    '(d)',
    { openWelcome: (_crypto, welcome) => new TextEncoder().encode(welcome) },
  ],
  ['a device that recovered believes what it is shown next', '(d)', { believesAfterRecovery: true }],
  [
    'what a revoked device signs goes on to count',
    '(e)',
    {
      listedSigner: (...told) => {
        const signer = REAL.listedSigner(...told);
        return signer && { key: signer.key };
      },
    },
  ],
  [
    'a recovery says nothing of those that were revoked before',
    '(a)',
    { listedSigner: (...told) => ({ ...REAL.listedSigner(...told)!, namedSince: [] }) },
  ],
  ['a recovery names what is void to its maker', '(a)', { namesVoid: true }],
  ['no signature of an entry is verified', '(e)', { verifyEntry: () => true }],
  [
    'two successors of one number are no fork',
    '(c)',
    judging(({ seen }, offered, told) =>
      told.problem === 'forked' && seen?.forked === false ? { seen: { ...offered, forked: false } } : told,
    ),
  ],
  [
    'a fork ends with the next list that continues',
    '(c)',
    judging(({ seen, ...known }, offered) =>
      REAL.judgeList({ ...known, seen: seen && { ...seen, forked: false } }, offered),
    ),
  ],
  [
    'a recovery that continues does not end a fork',
    '(c)',
    judging(({ seen }, offered, told) =>
      seen?.forked && offered.statements[seen.statements.length]?.prev === seen.list.head ? { seen } : told,
    ),
  ],
  [
    'a list that a recovery has left behind is taken again',
    '(c)',
    judging(({ seen }, offered, told) =>
      seen !== undefined && offered.list.root === seen.list.root && offered.list.recoveries < seen.list.recoveries
        ? { seen: { ...offered, forked: false } }
        : told,
    ),
  ],
  [
    'a list that begins otherwise is compared like any other',
    '(c)',
    judging(({ seen, ...known }, offered) =>
      REAL.judgeList({ ...known, seen: seen && { ...seen, list: { ...seen.list, root: offered.list.root } } }, offered),
    ),
  ],
];
