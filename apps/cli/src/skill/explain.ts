import { translateViolation, type Violation } from '@parley/documents/skill';
import { networkText } from '@parley/protocol';
import { SkillError } from '@parley/skills';
import { CommandError, type Sentence } from '../command-error.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';

const ENVIRONMENT = new Set(['ENDPOINT_UNREACHABLE', 'EXECUTION_TIMEOUT', 'RATE_LIMITED', 'ADDRESS_BLOCKED']);
const MAX_LISTED = 20;

/** Lists the details of a skill's error: why it was not reached, what the provider said, which inputs are wrong. */
export function explainSkill(error: unknown, { locale }: Words): unknown {
  if (!(error instanceof SkillError)) return error;
  const { code, details, network } = error;
  const sentences: Sentence[] = [{ key: 'skill.failed', params: { text: error.explain(locale), code } }];
  if (network !== undefined) sentences.push({ key: 'skill.network', params: { text: networkText(network, locale) } });
  if (typeof details.provider_message === 'string') {
    sentences.push({ key: 'skill.provider_says', params: { text: details.provider_message } });
  }
  for (const violation of listOf(details.violations)) {
    // A provider sends violations in its own words.
    const { field, message } = violation.params === undefined ? violation : translateViolation(violation, locale);
    sentences.push({ key: 'skill.violation', params: { field: String(field), text: String(message) } });
  }
  if (code === 'AUTH_REQUIRED' && typeof details.origin === 'string') {
    sentences.push(...explainMissing(details.origin, details));
  }
  if (code === 'ADDRESS_BLOCKED') sentences.push({ key: 'skill.development' });
  return new CommandError(code, {
    exit: ENVIRONMENT.has(code) ? EXIT.environment : EXIT.bad,
    sentences: [...sentences],
  });
}

function explainMissing(origin: string, { reason, parameters }: SkillError['details']): Sentence[] {
  if (!Array.isArray(parameters)) return [{ key: 'skill.login_first', params: { origin } }];
  const key = reason === 'credential_in_url' ? 'skill.parameter_in_url' : 'skill.parameter_first';
  return parameters.map((name) => ({ key, params: { origin, name: displayName(String(name)) } }));
}

function listOf(violations: unknown): readonly Violation[] {
  return Array.isArray(violations) ? violations.slice(0, MAX_LISTED) : [];
}
