/** The sockets of each account on this node: how many there are, and how much waits for them to read it (OP-1). */
export interface AccountShares {
  /** If the account has as many as it may, its oldest is replaced. */
  enter(account: string, socket: SharingSocket): Share;
}

interface Share {
  /** Says how much waits in this socket now. If all of the account's hold too much, the fullest is cut off. */
  note(bytes: number): void;
  leave(): void;
}

interface SharingSocket {
  /** It is closed, because a newer one takes its place. */
  replace(): void;
  /** It is ended at once, with all that waits. Its client comes back, and nothing is lost. */
  cutOff(): void;
}

interface Deps {
  readonly limitOf: (account: string) => number;
  /** Of all sockets of an account together. */
  readonly maxWaiting: number;
  /** Counts one socket more, until the function that it returns is called. */
  readonly hold: (account: string) => () => void;
}

interface Entry {
  readonly socket: SharingSocket;
  readonly release: () => void;
  bytes: number;
}

export function createAccountShares({ limitOf, maxWaiting, hold }: Deps): AccountShares {
  const accounts = new Map<string, { readonly entries: Set<Entry>; bytes: number }>();
  return {
    enter: (account, socket) => {
      const share = accounts.get(account) ?? { entries: new Set<Entry>(), bytes: 0 };
      accounts.set(account, share);
      const remove = (entry: Entry): void => {
        if (!share.entries.delete(entry)) return;
        share.bytes -= entry.bytes;
        entry.release();
        if (share.entries.size === 0 && accounts.get(account) === share) accounts.delete(account);
      };
      while (share.entries.size > 0 && share.entries.size >= limitOf(account)) {
        const oldest = share.entries.values().next().value!;
        remove(oldest);
        oldest.socket.replace();
      }
      const own: Entry = { socket, release: hold(account), bytes: 0 };
      accounts.set(account, share);
      share.entries.add(own);
      return {
        note: (bytes) => {
          if (!share.entries.has(own)) return;
          share.bytes += bytes - own.bytes;
          own.bytes = bytes;
          while (share.bytes > maxWaiting && Number.isFinite(limitOf(account))) {
            const fullest = [...share.entries].reduce((most, entry) => (entry.bytes > most.bytes ? entry : most));
            remove(fullest);
            fullest.socket.cutOff();
          }
        },
        leave: () => remove(own),
      };
    },
  };
}
