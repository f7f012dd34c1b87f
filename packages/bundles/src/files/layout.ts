/** The paths inside `.roleos/`, relative to the workspace. */
export const HOME = '.roleos';
export const STATE_FILE = `${HOME}/state.json`;
export const JOURNAL_FILE = `${HOME}/journal.json`;
export const LOCKS = `${HOME}/locks`;
export const TRANSACTIONS = `${HOME}/tx`;
export const SNAPSHOTS = `${HOME}/snapshots`;
/** Originals that a recovery could not restore without overwriting the user's files. */
export const LOST = `${HOME}/lost`;

/** The folder of one bundle: its manifest, its lock file and its list of MCP servers. */
export const bundleFolder = (bundleId: string): string => `${HOME}/bundles/${bundleId}`;
