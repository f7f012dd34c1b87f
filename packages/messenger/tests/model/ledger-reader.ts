import { foldLedger } from '@parley/protocol';
import type { Rules } from './rules.ts';
import type { LedgerNode, ListNode } from './statements.ts';
import { idOf, RELATION } from './symbols.ts';

/** What one who has a list makes of a ledger. */
export interface Reading {
  readonly ok: boolean;
  readonly scopes: ReadonlySet<string>;
  /** Entries of T that count. */
  readonly byT: readonly number[];
  /** How many entries stand before the first that is void. */
  readonly clean: number;
}

const NOTHING: Reading = { ok: true, scopes: new Set(), byT: [], clean: 0 };

/** Remembers what it has read: only the signers of a list make a difference. */
export function createLedgerReader(rules: Rules): (list: ListNode, ledger: LedgerNode | undefined) => Reading {
  const known = new Map<number, Reading>();
  const chain = { kind: 'ledger' as const, id: RELATION };

  function read(node: ListNode, { entries, path }: LedgerNode): Reading {
    const folded = foldLedger(entries, {
      relationId: RELATION,
      signerOf: (deviceId) => rules.listedSigner(node.list!, deviceId, chain),
      verify: rules.verifyEntry,
    });
    if (!folded.ok) return { ...NOTHING, ok: false };
    const counting = new Set(folded.counting);
    const ids = [...path];
    const firstVoid = entries.findIndex((entry) => !counting.has(entry));
    return {
      ok: true,
      scopes: new Set(folded.scopes.map(({ id }) => id)),
      byT: ids.filter((_, index) => counting.has(entries[index]!) && entries[index]!.device_id === idOf('T')),
      clean: firstVoid < 0 ? entries.length : firstVoid,
    };
  }

  return (node, ledger) => {
    if (ledger === undefined) return NOTHING;
    const key = node.signers * 65_536 + ledger.id;
    let reading = known.get(key);
    if (reading === undefined) {
      reading = read(node, ledger);
      known.set(key, reading);
    }
    return reading;
  };
}
