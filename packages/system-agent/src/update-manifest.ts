import type { Locale } from '@parley/base';
import {
  diffManifests,
  displayText,
  hashManifest,
  type Json,
  type Manifest,
  type Message,
  parseManifest,
  previewConsent,
  renderDiff,
  renderPreview,
  toMessage,
  validateManifest,
} from '@parley/documents';
import type { AgentDetail, OwnAgent } from './tools.ts';
import type { Block, Turn } from './turn.ts';

/** Up to this length, the pasted text comes back for correction: a card holds 64 KB (TC-10), including escapes. */
const MAX_DRAFT = 24_000;
const MAX_FINDINGS = 20;
const MAX_CODE = 15_000;

interface Draft {
  readonly text: string;
  readonly findings: readonly Message[];
}

/** Shows a form to paste into; then the findings, or what would change; then, after a yes, changes it (SA-1). */
export async function updateManifest(turn: Turn, agent: OwnAgent, draft?: Draft): Promise<void> {
  const { texts } = turn;
  const name = displayText(agent.name);
  const problem: Block[] =
    draft === undefined
      ? []
      : [
          { tag: 'status', text: texts.formAgain, tone: 'error' },
          { tag: 'code', text: listFindings(draft.findings, turn) },
        ];
  const kept = draft !== undefined && draft.text.length <= MAX_DRAFT ? { value: draft.text } : {};
  const blocks: Block[] = [
    ...problem,
    { tag: 'text', text: texts.formLead(agent.manifest_version) },
    {
      tag: 'input',
      id: 'manifest',
      label: texts.manifest,
      required: true,
      multiline: true,
      placeholder: '{ … }',
      ...kept,
    },
  ];
  await turn.ask({ kind: 'form', title: texts.formTitle(name), blocks, go: texts.check }, async ({ manifest }) => {
    const text = String(manifest ?? '');
    const read = readDraft(text, turn.locale);
    if (read.manifest === undefined) return updateManifest(turn, agent, { text, findings: read.findings });
    return compare(turn, read.manifest, { agentId: agent.agent_id, warnings: read.findings });
  });
}

function readDraft(text: string, locale: Locale): { manifest?: Manifest; findings: readonly Message[] } {
  const parsed = parseManifest(text);
  return parsed.ok
    ? validateManifest(parsed.value, { locale })
    : { findings: parsed.findings.map((finding) => toMessage(finding, locale)) };
}

async function compare(
  turn: Turn,
  manifest: Manifest,
  about: { readonly agentId: string; readonly warnings: readonly Message[] },
): Promise<void> {
  const { texts } = turn;
  const current = await turn.tools.getAgent(about.agentId);
  const name = displayText(current.name);
  if (current.manifest_hash === hashManifest(manifest as unknown as Json)) return turn.say(texts.unchanged(name));
  const blocks = [...describe(turn, current, manifest), ...warn(turn, about.warnings)];
  const title = texts.diffTitle(name, current.manifest_version + 1);
  await turn.ask({ kind: 'approval', title, blocks, go: texts.apply }, async () => {
    const outcome = await turn.tools.updateManifest(current, manifest);
    if (!outcome.updated) {
      await turn.say(texts.changedMeanwhile);
      return compare(turn, manifest, about);
    }
    const done = texts.updated(name, outcome.manifest_version);
    await turn.say(outcome.breaking_changes > 0 ? `${done} ${texts.updatedBreaking}` : done);
  });
}

function describe({ texts, locale }: Turn, { manifest: before }: AgentDetail, manifest: Manifest): Block[] {
  if (before === null) {
    return [
      { tag: 'status', text: texts.first, tone: 'info' },
      { tag: 'code', text: cut(renderPreview(previewConsent(manifest, locale))) },
    ];
  }
  const diff = diffManifests(before, manifest, { locale });
  return [
    diff.breaking
      ? { tag: 'status', text: texts.breaking, tone: 'warning' }
      : { tag: 'status', text: texts.compatible, tone: 'success' },
    { tag: 'code', text: cut(renderDiff(diff, locale)) },
  ];
}

function warn(turn: Turn, warnings: readonly Message[]): Block[] {
  if (warnings.length === 0) return [];
  return [
    { tag: 'text', text: turn.texts.warnings },
    { tag: 'code', text: listFindings(warnings, turn) },
  ];
}

function listFindings(findings: readonly Message[], { texts }: Turn): string {
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ path, message }) => (path === '' ? message : `${displayText(path)}: ${message}`));
  if (findings.length > MAX_FINDINGS) lines.push(texts.moreFindings(findings.length - MAX_FINDINGS));
  return cut(lines.join('\n'));
}

function cut(text: string): string {
  return text.length <= MAX_CODE ? text : `${text.slice(0, MAX_CODE)}…`;
}
