import { dirname } from 'node:path';
import { writeFileAtomically } from '../../write-file.ts';
import { agentsFile, damaged, makeFolder, readJsonFile } from '../config.ts';

/** Remembers which agent a bundle is at each server, so that it stays the same one. Keyed by server, then by bundle id. */
type Known = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function findAgent(baseUrl: string, bundleId: string): string | undefined {
  const agents = read()[baseUrl] ?? {};
  return Object.hasOwn(agents, bundleId) ? agents[bundleId] : undefined;
}

export function rememberAgent(baseUrl: string, bundleId: string, agentId: string): void {
  const known = read();
  const next: Known = { ...known, [baseUrl]: { ...known[baseUrl], [bundleId]: agentId } };
  makeFolder(dirname(agentsFile()));
  writeFileAtomically(agentsFile(), `${JSON.stringify(next, null, 2)}\n`, true);
}

function read(): Known {
  const value = readJsonFile(agentsFile()) ?? {};
  const isKnown =
    typeof value === 'object' &&
    Object.values(value).every((agents) => typeof agents === 'object' && agents !== null && !Array.isArray(agents));
  if (!isKnown) throw damaged(agentsFile());
  return value as Known;
}
