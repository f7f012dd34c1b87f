export function findSuite(environment?: Record<string, string | undefined>): string | undefined;
export function explainMissing(environment?: Record<string, string | undefined>): string;
