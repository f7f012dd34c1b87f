/** What `.roleos/` holds, by paths relative to the workspace. */
export const HOME = '.roleos';
export const STATE_FILE = `${HOME}/state.json`;
export const JOURNAL_FILE = `${HOME}/journal.json`;
export const LOCKS = `${HOME}/locks`;
export const TRANSACTIONS = `${HOME}/tx`;
export const SNAPSHOTS = `${HOME}/snapshots`;
/** What a recovery could not put back without overwriting a person's file. */
export const LOST = `${HOME}/lost`;

/** The manifest, the lock file and the list of MCP servers of one bundle. */
export const bundleFolder = (bundleId: string): string => `${HOME}/bundles/${bundleId}`;
