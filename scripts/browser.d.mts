type Environment = Record<string, string | undefined>;

export function findBrowser(environment?: Environment): string | undefined;
export function findWholeBrowser(environment?: Environment): string | undefined;
export function explainMissing(environment?: Environment): string;
export function ensureBrowser(environment?: Environment, isRoot?: boolean): string | undefined;
