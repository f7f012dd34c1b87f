import type { Sensitivity } from '@parley/documents';
import type { ChatContext } from './chat-context.ts';

export interface Choosable {
  readonly id: string;
  readonly label: string;
  readonly level: Sensitivity;
  /** The person cannot switch it off. */
  readonly required: boolean;
}

/** Shows a list of switches: a number toggles one, Enter confirms, q leaves. */
export async function chooseScopes(
  scopes: readonly Choosable[],
  initial: ReadonlySet<string>,
  { screen, words, paint }: ChatContext,
): Promise<readonly string[] | undefined> {
  const chosen = new Set(initial);
  for (;;) {
    const lines = scopes.map(({ id, label, level, required }, at) => {
      const box = chosen.has(id) ? paint('green', '[x]') : '[ ]';
      const must = required ? `  ${paint('dim', words.say('chat.consent.required'))}` : '';
      return `  ${at + 1} ${box} ${label} (${id}, ${words.say(`chat.sensitivity.${level}`)})${must}`;
    });
    screen.print(`${lines.join('\n')}\n${paint('dim', words.say('chat.consent.how'))}`);
    const answer = (await screen.ask({ label: `${words.say('chat.consent.ask')} ` }))?.trim().toLowerCase();
    if (answer === undefined || answer === 'q') return undefined;
    if (answer !== '') for (const word of answer.split(/[\s,，]+/)) toggle(word);
    else {
      const missing = scopes.filter(({ id, required }) => required && !chosen.has(id));
      if (missing.length === 0) return scopes.map(({ id }) => id).filter((id) => chosen.has(id));
      for (const { label } of missing) screen.print(words.say('chat.consent.is_required', { label }));
    }
  }

  function toggle(word: string): void {
    const scope = scopes[Number(word) - 1];
    if (scope === undefined) screen.print(words.say('chat.consent.no_such', { n: scopes.length }));
    else if (scope.required && chosen.has(scope.id))
      screen.print(words.say('chat.consent.is_required', { label: scope.label }));
    else if (!chosen.delete(scope.id)) chosen.add(scope.id);
  }
}
