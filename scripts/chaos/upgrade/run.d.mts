export function runUpgrade(options: { databaseUrl: string; tell?: (line: string) => void }): Promise<string[]>;
