import { compareVersions } from '@parley/documents/skill';
import { RequestError } from '../http/request-error.ts';

/** A version of a bundle or a skill that is there. */
export interface PublishedVersion {
  readonly version: string;
  readonly digest: string;
}

/** The version that a new one was compared with, the highest lower one, and what changed; neither where there is none. */
export interface ComparedWith<Diff> {
  readonly below: PublishedVersion | undefined;
  readonly diff: Diff | undefined;
}

interface Publication<Diff, Result> {
  readonly version: string;
  listVersions(): Promise<readonly PublishedVersion[]>;
  diff(below: PublishedVersion): Promise<Diff>;
  /** In a transaction, which calls `requireCompared`. */
  publish(compared: ComparedWith<Diff>): Promise<Result>;
}

/** Someone who owns it may publish again and again in between. */
const MAX_ATTEMPTS = 50;
const MOVED = new Error('another version was published meanwhile');

/** Compares with neither a lock nor a connection in hand, then publishes; if something has moved, it does so again (OP-5). */
export async function comparePublished<Diff, Result>(publication: Publication<Diff, Result>): Promise<Result> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const versions = await publication.listVersions();
    const isThere = versions.some(({ version }) => compareVersions(version, publication.version) === 0);
    const below = isThere ? undefined : findBelow(versions, publication.version);
    const diff = below && (await publication.diff(below));
    try {
      return await publication.publish({ below, diff });
    } catch (error) {
      if (error !== MOVED) throw error;
    }
  }
  throw new RequestError('UNAVAILABLE');
}

/** Returns the diff if it is the one with the version that is the highest lower one now. */
export function requireCompared<Diff>(
  { below, diff }: ComparedWith<Diff>,
  versions: readonly PublishedVersion[],
  version: string,
): Diff | undefined {
  const present = findBelow(versions, version);
  if (present?.version !== below?.version || present?.digest !== below?.digest) throw MOVED;
  return diff;
}

function findBelow(versions: readonly PublishedVersion[], version: string): PublishedVersion | undefined {
  return versions
    .filter((one) => compareVersions(one.version, version) < 0)
    .sort((a, b) => compareVersions(a.version, b.version))
    .at(-1);
}
