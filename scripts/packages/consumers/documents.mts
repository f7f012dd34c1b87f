import { type Finding, hashManifest, parseManifest, validateManifest } from '@parley/documents';
import { isSafePath } from '@parley/documents/bundle';
import { parseDescriptor } from '@parley/documents/skill';

const parsed = parseManifest('{ "agent_version": "1" }');
if (!parsed.ok) throw new Error('it is JSON');
const findings: readonly Finding[] = validateManifest(parsed.value).findings;
if (!findings.some(({ code }) => code === 'AGENT_VERSION_INVALID')) throw new Error('1 is not a version');
if (!/^[0-9a-f]{64}$/.test(hashManifest(parsed.value).replace(/^sha256:/, ''))) throw new Error('no hash');
if (isSafePath('../outside') || parseDescriptor('{').ok) throw new Error('too much is fine');
