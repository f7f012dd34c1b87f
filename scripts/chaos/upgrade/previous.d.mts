export const PREVIOUS: { readonly commit: string; readonly last_migration: string };
export function findObstacle(root?: string): Promise<string | undefined>;
export function buildPrevious(): Promise<string>;
