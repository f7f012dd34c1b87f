import {
  type BoundEntry,
  entryBytes,
  entryHash,
  headName,
  type LedgerEntry,
  type LedgerProblem,
} from '@parley/protocol';
import { fromBase64Url, toBase64Url } from '../../src/bytes.ts';
import type { Crypto } from '../../src/provider/crypto.ts';
import { seeded } from '../harness.ts';
import { Statements, timeOf } from './statements.ts';

const id = (end: string) => `019a8000-0000-7000-8000-00000000${end}`;
const [RELATION, OTHER, AGENT, ACCOUNT, CONVERSATION] = ['a001', 'f001', 'b001', 'c001', 'e001'].map(id) as [
  string,
  string,
  string,
  string,
  string,
];
const [FIRST, SECOND] = [id('d001'), id('d002')];
const DEVICES: Readonly<Record<string, { seed: string; public_key: string }>> = {
  [FIRST]: {
    seed: 'oiip0HgFMcbZOc6KkrH4N59h-SaTIVMWUhNmRyGG_Ig',
    public_key: 'PGHPMhWdBPqUM64QuvuQLqu1LF5h_PMBGBT_ez8-dXs',
  },
  [SECOND]: {
    seed: '2ijfuYsDtTxNprO8cq6eWS3hdr2Frd37ED4oz5_sBqM',
    public_key: 'pxqOLyRHpOPBbFof-YPVXZeDswJWznFFdbWOAjWkEgk',
  },
};
const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const CALENDAR = { id: '日历:读', sensitivity: 'high' } as const;
const READ_HIGH = { ...READ, sensitivity: 'high' } as const;
const SHELL = { id: 'shell:exec', sensitivity: 'high' } as const;
const [HASH, LATER_HASH] = [
  'f89f2c93435f42ab69280483e49d7244ea4de920c6f6144061c057ab4e176eef',
  'e13107f3f974c9c5457927026f565e9bb0c7b80d422797dfcb50d59dd5699e77',
];

const AGENT_KEY = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const OTHER_AGENT_KEY = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const FIRST_MANIFEST = { manifest_hash: HASH, manifest_version: 1 };
const LATER_MANIFEST = { manifest_hash: LATER_HASH, manifest_version: 3 };

type Fields = Partial<Omit<BoundEntry, 'version'>> & { readonly version?: 1 | 2 };
const by = (device_id: string, action: LedgerEntry['action'], scopes: LedgerEntry['scopes'], more: Fields = {}) => ({
  ...LATER_MANIFEST,
  action,
  scopes,
  device_id,
  ...more,
});
const OLD = { version: 1 } as const;

/** By name: after which one, and what. */
const ENTRIES: Readonly<Record<string, readonly [string | undefined, Fields]>> = {
  // The form of before.
  grant: [
    undefined,
    by(FIRST, 'grant', [READ, CALENDAR], { ...OLD, ...FIRST_MANIFEST, created_at: '2026-01-02T03:04:05.678Z' }),
  ],
  change: ['grant', by(SECOND, 'change', [READ_HIGH], { ...OLD, created_at: '2026-01-03T00:00:00Z' })],
  revoke: ['change', by(FIRST, 'revoke', [], { ...OLD, created_at: '2026-01-04T00:00:00Z' })],
  'change after the revocation': [
    'revoke',
    by(FIRST, 'change', [READ, CALENDAR], { ...OLD, created_at: '2026-01-05T00:00:00Z' }),
  ],
  // The whole subject is named.
  'bound grant': [undefined, by(FIRST, 'grant', [READ, CALENDAR])],
  'signed anew': ['grant', by(FIRST, 'change', [READ, CALENDAR])],
  'another agent key': ['signed anew', by(FIRST, 'change', [READ], { agent_key: OTHER_AGENT_KEY })],
  'the old form again': ['signed anew', by(FIRST, 'change', [READ], OLD)],
  'another conversation': ['signed anew', by(FIRST, 'change', [READ], { conversation_id: OTHER })],
  'another agent': ['signed anew', by(FIRST, 'change', [READ], { agent_id: OTHER })],
  'another account': ['signed anew', by(FIRST, 'change', [READ], { account_id: OTHER })],
  'a grant in the middle': ['signed anew', by(FIRST, 'grant', [READ])],
  'a change at the beginning': [undefined, by(FIRST, 'change', [READ])],
  'an older manifest': ['signed anew', by(FIRST, 'change', [READ], FIRST_MANIFEST)],
  'a scope twice': ['signed anew', by(FIRST, 'change', [READ, READ_HIGH])],
  'a revocation that leaves something': ['signed anew', by(FIRST, 'revoke', [READ])],
  // The second device is stolen.
  'stolen: more': ['signed anew', by(SECOND, 'change', [READ, CALENDAR, SHELL])],
  'stolen: less': ['signed anew', by(SECOND, 'change', [READ])],
  'stolen: weaker': ['signed anew', by(SECOND, 'change', [READ, { ...CALENDAR, sensitivity: 'low' }])],
  'stolen: nothing': ['signed anew', by(SECOND, 'revoke', [])],
  'stolen: dated before': ['signed anew', by(SECOND, 'change', [SHELL], { created_at: '2020-01-01T00:00:00Z' })],
  'stolen: contradiction': [
    'signed anew',
    by(SECOND, 'grant', [SHELL], { conversation_id: OTHER, manifest_version: 99 }),
  ],
  'stolen: beginning': [undefined, by(SECOND, 'grant', [SHELL])],
  'given back': ['stolen: less', by(FIRST, 'change', [READ, CALENDAR])],
  'after the end': ['stolen: nothing', by(FIRST, 'change', [READ])],
  'after the contradiction': ['stolen: contradiction', by(FIRST, 'change', [READ])],
  'after the beginning': ['stolen: beginning', by(FIRST, 'change', [READ])],
};

/** What a server makes of the first entry, under the signature it has. */
const EDITED: Readonly<Record<string, Partial<LedgerEntry>>> = {
  'a lowered sensitivity': {
    scopes: [
      { ...READ, sensitivity: 'low' },
      { ...CALENDAR, sensitivity: 'low' },
    ],
  },
  'in the name of another device': { device_id: SECOND },
  'of an unknown device': { device_id: AGENT },
};

function makeEntries(crypto: Crypto): Statements<LedgerEntry> {
  const entries = new Statements<LedgerEntry>({ bytesOf: entryBytes, hashOf: entryHash });
  for (const [name, [after, { version = 2, ...fields }]] of Object.entries(ENTRIES)) {
    const place = entries.placeAfter(after);
    const unsigned = {
      version,
      relation_id: RELATION,
      agent_id: AGENT,
      account_id: ACCOUNT,
      ...(version === 2 ? { conversation_id: CONVERSATION, agent_key: AGENT_KEY } : {}),
      ...place,
      created_at: timeOf(place.seq),
      ...fields,
    } as LedgerEntry;
    // Also in the form of before, which nothing in `src` signs any more.
    const signature = crypto.sign(fromBase64Url(DEVICES[unsigned.device_id]!.seed)!, entryBytes(unsigned));
    entries.put(name, after, { ...unsigned, signature: toBase64Url(signature) });
  }
  for (const [name, edits] of Object.entries(EDITED))
    entries.put(name, undefined, { ...entries.get('grant'), ...edits } as LedgerEntry);
  entries.put('bound, of an unknown device', undefined, { ...entries.get('bound grant'), device_id: AGENT });
  entries.put('with the signature of another', undefined, {
    ...entries.get('grant'),
    signature: entries.get('change').signature,
  });
  return entries;
}

const subject = (agent_key = AGENT_KEY) => ({
  relation_id: RELATION,
  agent_id: AGENT,
  account_id: ACCOUNT,
  conversation_id: CONVERSATION,
  agent_key,
});

/** What the reader knows: how far the chain was read before, and which devices are revoked. */
interface Surroundings {
  readonly seen?: object;
  readonly revocations?: readonly object[];
  readonly relation_id?: string;
}

/** RL-10, EE-19: the text of `vectors/ledger/chain.json`. */
export function makeLedger(base: Crypto): object {
  const crypto = seeded(base, 'ledger');
  const entries = makeEntries(crypto);
  /** The second device is revoked, by a revocation that names the chain up to these entries. */
  const revokedAt = (...names: readonly string[]) => {
    const salt = toBase64Url(crypto.randomBytes(16));
    const chain = (name: string) => ({ length: entries.get(name).seq, head: entries.hash(name) });
    const heads = names.map((name) => headName(salt, { kind: 'ledger', id: RELATION, ...chain(name) }));
    return { revocations: [{ device_id: SECOND, salt, heads }] };
  };
  const seen = (name: string) => ({ seen: { length: entries.get(name).seq, head: entries.hash(name) } });
  const grants = (
    name: string,
    list: string,
    {
      scopes,
      about = null,
      revoked = false,
      ...surroundings
    }: Surroundings & { scopes: readonly object[]; about?: object | null; revoked?: boolean },
  ) => ({
    name,
    list: entries.upTo(list),
    ...surroundings,
    expect: { ok: true, length: entries.get(list).seq, head: entries.hash(list), scopes, revoked, subject: about },
  });
  const refuse = (
    name: string,
    list: readonly string[],
    { problem, seq = list.length, ...surroundings }: Surroundings & { problem: LedgerProblem; seq?: number },
  ) => ({
    name,
    list,
    ...surroundings,
    expect: { ok: false, problem, seq },
  });
  const wrong = (list: string, problem: LedgerProblem) => refuse(list, entries.upTo(list), { problem });
  const bound = subject();
  const named = revokedAt('signed anew');
  return {
    devices: DEVICES,
    relation_id: RELATION,
    entries: entries.toJson(),
    cases: [
      grants('a first grant', 'grant', { scopes: [READ, CALENDAR] }),
      grants('a change replaces what was granted', 'change', { scopes: [READ_HIGH] }),
      grants('a revocation takes everything back', 'revoke', { scopes: [], revoked: true }),
      grants('a chain that has grown since it was seen', 'change', { scopes: [READ_HIGH], ...seen('grant') }),
      refuse('a shortened chain hides the revocation', ['grant', 'change'], {
        problem: 'shortened',
        seq: 3,
        ...seen('revoke'),
      }),
      refuse('an emptied chain', [], { problem: 'shortened', seq: 1, ...seen('grant') }),
      refuse('another entry in the place of one that was seen', ['grant', 'signed anew'], {
        problem: 'rewritten',
        ...seen('change'),
      }),
      refuse('an entry left out of the middle', ['grant', 'revoke'], { problem: 'seq' }),
      refuse('entries in another order', ['change', 'grant'], { problem: 'seq', seq: 1 }),
      refuse('an old entry replayed at the end', ['grant', 'change', 'grant'], { problem: 'seq' }),
      refuse('an entry after another that it does not name', ['bound grant', 'change'], { problem: 'prev' }),
      wrong('a lowered sensitivity', 'signature'),
      wrong('with the signature of another', 'signature'),
      wrong('in the name of another device', 'signature'),
      grants('of a device that the list does not know', 'of an unknown device', { scopes: [] }),
      wrong('bound, of an unknown device', 'device'),
      refuse('the chain of another relation', ['grant'], { problem: 'relation', relation_id: OTHER }),
      wrong('change after the revocation', 'action'),
      grants('an entry that names its whole subject', 'bound grant', { scopes: [READ, CALENDAR], about: bound }),
      grants('an entry of the old form, signed anew', 'signed anew', { scopes: [READ, CALENDAR], about: bound }),
      grants('the agent has another key', 'another agent key', { scopes: [READ], about: subject(OTHER_AGENT_KEY) }),
      wrong('the old form again', 'version'),
      wrong('another conversation', 'party'),
      wrong('another agent', 'party'),
      wrong('another account', 'party'),
      wrong('a grant in the middle', 'action'),
      wrong('a change at the beginning', 'action'),
      wrong('an older manifest', 'manifest'),
      wrong('a scope twice', 'scopes'),
      wrong('a revocation that leaves something', 'scopes'),
      grants('a device that is listed', 'stolen: more', { scopes: [READ, CALENDAR, SHELL], about: bound }),
      grants('a revoked device, up to where it is named', 'stolen: more', {
        scopes: [READ, CALENDAR, SHELL],
        about: bound,
        ...revokedAt('stolen: more'),
      }),
      grants('a revoked device gives nothing', 'stolen: more', { scopes: [READ, CALENDAR], about: bound, ...named }),
      grants('whatever date it names', 'stolen: dated before', { scopes: [], about: bound, ...named }),
      grants('a recovery names less', 'stolen: more', {
        scopes: [READ, CALENDAR],
        about: bound,
        revocations: [...revokedAt('stolen: more').revocations, ...revokedAt('signed anew').revocations],
      }),
      grants('a recovery names more', 'stolen: more', {
        scopes: [READ, CALENDAR],
        about: bound,
        revocations: [...revokedAt('signed anew').revocations, ...revokedAt('stolen: more').revocations],
      }),
      grants('and lowers no level', 'stolen: weaker', { scopes: [READ, CALENDAR], about: bound, ...named }),
      grants('what it takes away stays away', 'stolen: less', { scopes: [READ], about: bound, ...named }),
      grants('until one that counts gives it again', 'given back', {
        scopes: [READ, CALENDAR],
        about: bound,
        ...named,
      }),
      grants('all that it takes away', 'stolen: nothing', { scopes: [], about: bound, ...named }),
      grants('its revocation is not the end', 'after the end', { scopes: [READ], about: bound, ...named }),
      wrong('after the end', 'action'),
      wrong('stolen: contradiction', 'action'),
      grants('its contradiction does not break the chain', 'after the contradiction', {
        scopes: [READ],
        about: bound,
        ...named,
      }),
      grants('a chain that it began', 'stolen: beginning', { scopes: [], ...revokedAt() }),
      grants('a chain that it began, and another device went on with', 'after the beginning', {
        scopes: [READ],
        about: bound,
        ...revokedAt(),
      }),
      grants('what it signed does not count where another length is named', 'change', {
        scopes: [READ],
        ...revokedAt('stolen: more'),
      }),
    ],
  };
}
