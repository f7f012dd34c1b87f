import { intro, isCancel, multiselect, select, text } from '@clack/prompts';
import { PRESET_SCOPES } from '@parley/documents';
import type { Words } from '../messages/index.ts';
import { type Answers, DEFAULT_ANSWERS, FLAGS, problemWith } from './starter.ts';

const SENSITIVITIES = ['low', 'medium', 'high'] as const;
const OTHER = '';

/** Thrown when the person answers a question with Ctrl-C. */
class Cancelled extends Error {}

/** Asks in the terminal. Undefined means that the person left. */
export async function askAnswers(words: Words): Promise<Answers | undefined> {
  intro(words.say('init.title'));
  try {
    const agentVersion = await askText(words, 'agent_version', {
      initial: DEFAULT_ANSWERS.agentVersion,
      check: (value) => problemWith('/agent_version', { agentVersion: value }, words.locale),
    });
    const tool = await askText(words, 'tool', {
      placeholder: DEFAULT_ANSWERS.tool,
      check: (value) => problemWith('/tools/0/name', { tool: value }, words.locale),
    });
    const toolText = await askText(words, 'tool_text', { placeholder: words.say('init.example.tool_text') });
    const parameters = await askParameters(words);
    return { agentVersion, tool, toolText, parameters, ...(await askScope(words)), flags: await askFlags(words) };
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

interface Question {
  readonly initial?: string;
  readonly placeholder?: string;
  readonly optional?: boolean;
  check?(value: string): string | undefined;
}

type TextKey = 'agent_version' | 'tool' | 'tool_text' | 'arguments' | 'scope_id' | 'scope_text';

async function askText(words: Words, key: TextKey, question: Question): Promise<string> {
  const { initial = '', placeholder = '', optional = false } = question;
  const answer = await text({
    message: words.say(`init.ask.${key}`),
    initialValue: initial,
    placeholder,
    validate: (value = '') => {
      if (value.trim() === '') return optional ? undefined : words.say('init.needed');
      return question.check?.(value.trim());
    },
  });
  return settled(answer ?? '').trim();
}

async function askParameters(words: Words): Promise<string[]> {
  const split = (value: string) => [...new Set(value.split(/[\s,，、]+/).filter((name) => name !== ''))];
  const answer = await askText(words, 'arguments', {
    placeholder: 'path',
    optional: true,
    check: (value) =>
      split(value).every((name) => /^[A-Za-z]\w*$/.test(name)) ? undefined : words.say('init.argument_invalid'),
  });
  return split(answer);
}

async function askScope(words: Words): Promise<Pick<Answers, 'scope' | 'scopeText' | 'sensitivity'>> {
  const presets = [...PRESET_SCOPES].map(([id, preset]) => ({
    value: id,
    label: `${id}  ${preset.label[words.locale]}`,
  }));
  const chosen = settled(
    await select({
      message: words.say('init.ask.scope'),
      options: [...presets, { value: OTHER, label: words.say('init.ask.scope_other') }],
      showInstructions: false,
    }),
  );
  const preset = PRESET_SCOPES.get(chosen);
  if (preset !== undefined) return { scope: chosen, sensitivity: preset.sensitivity };
  const scope = await askText(words, 'scope_id', {
    placeholder: 'network:http',
    check: (value) => problemWith('/permission_scopes/0/id', { scope: value }, words.locale),
  });
  const scopeText = await askText(words, 'scope_text', { placeholder: words.say('init.example.scope_text') });
  const sensitivity = settled(
    await select({
      message: words.say('init.ask.sensitivity'),
      options: SENSITIVITIES.map((level) => ({
        value: level,
        label: `${level}  ${words.say(`init.sensitivity.${level}`)}`,
      })),
      initialValue: 'medium' as (typeof SENSITIVITIES)[number],
      showInstructions: false,
    }),
  );
  return { scope, scopeText, sensitivity };
}

async function askFlags(words: Words): Promise<string[]> {
  return settled(
    await multiselect({
      message: words.say('init.ask.flags'),
      options: FLAGS.map((flag) => ({ value: flag, label: `${flag}  ${words.say(`init.flag.${flag}`)}` })),
      initialValues: ['supports_streaming' as (typeof FLAGS)[number]],
      required: false,
      showInstructions: false,
    }),
  );
}

function settled<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<Answer, symbol>;
}
