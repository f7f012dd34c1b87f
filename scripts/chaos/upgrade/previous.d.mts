export const PREVIOUS: { readonly commit: string; readonly last_migration: string };
export function findObstacle(): Promise<string | undefined>;
export function buildPrevious(): Promise<string>;
