import type { Platform, Store, StoreBatch } from '@parley/messenger';

/** What a person set for a conversation on this device. No other device and no server learns of it. */
export interface ConversationSettings {
  /** Put away until something new comes. */
  readonly archived?: true;
  /** Deleted here: not listed until something new comes. */
  readonly hidden?: true;
  /** An ISO time, or `always`. */
  readonly mutedUntil?: string;
}

export interface OpenConversationSettings {
  get(conversationId: string): ConversationSettings;
  isMuted(conversationId: string): boolean;
  change(conversationId: string, change: Changes): Promise<void>;
  /** It was deleted. What is returned is to be written, together with what is erased. */
  hide(conversationId: string): StoreBatch;
  /** Something new has come: the conversation is back in the list, unless it is archived and muted. */
  arrived(conversationId: string): Promise<void>;
}

type Changes = { readonly [Name in keyof ConversationSettings]: ConversationSettings[Name] | undefined };

interface SettingsDeps {
  readonly store: Store;
  readonly platform: Pick<Platform, 'setTimer' | 'now'>;
  onChange(): void;
}

const PREFIX = 'client/conversation-settings/';
/** A longer timer overflows in browsers and ends at once. */
const MAX_TIMER_MS = 24 * 60 * 60_000;
const NOTHING: ConversationSettings = {};

export async function loadConversationSettings(deps: SettingsDeps): Promise<OpenConversationSettings> {
  const { store, platform, onChange } = deps;
  const rows = await store.list(PREFIX);
  const known = new Map(
    rows.map(([key, text]) => [key.slice(PREFIX.length), JSON.parse(text) as ConversationSettings]),
  );
  let stopTimer = () => {};

  const get = (conversationId: string) => known.get(conversationId) ?? NOTHING;
  const now = () => platform.now().getTime();
  const endOf = ({ mutedUntil }: ConversationSettings): number => {
    if (mutedUntil === undefined) return 0;
    return mutedUntil === 'always' ? Infinity : Date.parse(mutedUntil);
  };

  /** The end of a mute is shown when it comes. */
  function waitForEnd(): void {
    stopTimer();
    const ends = [...known.values()].map(endOf).filter((end) => end > now() && end < Infinity);
    if (ends.length === 0) return;
    stopTimer = platform.setTimer(
      () => {
        waitForEnd();
        onChange();
      },
      Math.min(MAX_TIMER_MS, Math.min(...ends) - now()),
    );
  }
  waitForEnd();

  function set(conversationId: string, changes: Changes): ConversationSettings {
    const merged = Object.entries({ ...get(conversationId), ...changes }).filter(([, value]) => value !== undefined);
    const next: ConversationSettings = Object.fromEntries(merged);
    known.set(conversationId, next);
    waitForEnd();
    onChange();
    return next;
  }

  async function change(conversationId: string, changes: Changes): Promise<void> {
    const next = set(conversationId, changes);
    const isEmpty = Object.keys(next).length === 0;
    await store.write(new Map([[PREFIX + conversationId, isEmpty ? null : JSON.stringify(next)]]));
  }

  const isMuted = (conversationId: string) => endOf(get(conversationId)) > now();

  return {
    get,
    isMuted,
    change,
    hide(conversationId) {
      set(conversationId, { hidden: true, archived: undefined });
      // As it is when it is written: something new may have come meanwhile.
      return new Map([[PREFIX + conversationId, () => JSON.stringify(get(conversationId))]]);
    },
    async arrived(conversationId) {
      const { hidden, archived } = get(conversationId);
      const comesBack = archived === true && !isMuted(conversationId);
      if (hidden !== true && !comesBack) return;
      await change(conversationId, { hidden: undefined, ...(comesBack ? { archived: undefined } : {}) });
    },
  };
}
