export function readEntries(root: string): Map<string, string>;
