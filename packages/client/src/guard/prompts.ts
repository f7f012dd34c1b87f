import { createDeferred, createObservable, type Locale, type Readable } from '@parley/base';
import { displayText, type Sensitivity, scopeText, toolText } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { type ArgumentView, viewArguments } from './arguments-view.ts';
import type { Call, Question } from './decide.ts';

/** The time to answer a `high` prompt, from when it is shown (CG-6). */
const ANSWER_MS = 30_000;

/**
 * Everything that a dialog shows (CG-10), and the possible answers. The texts are safe to show; none of them is markup.
 */
export interface Prompt {
  readonly id: string;
  readonly callId: string;
  readonly conversationId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly tool: { readonly name: string; readonly description: string };
  readonly scope: { readonly id: string; readonly label: string; readonly description?: string };
  readonly level: Sensitivity;
  /** The arguments as the agent sent them, not safe to show. */
  readonly arguments: Call['arguments'];
  readonly argumentViews: readonly ArgumentView[];
  /** What this call means for the person's privacy (CG-13). */
  readonly note?: string;
  readonly canAlwaysDeny: boolean;
  /** How long the person has to answer once it is shown; absent where only the call's own lifetime ends it. */
  readonly answerMs?: number;
  /** Set when the prompt is shown. */
  readonly deadline?: number;
  /** When the call itself expires. */
  readonly expiresAt: number;
  /** Call it when the dialog is on the screen: the 30 seconds begin. */
  shown(): void;
  allow(): void;
  deny(): void;
  alwaysDeny(): void;
}

type PromptAnswer = 'allow' | 'deny' | 'always_deny' | 'timeout' | 'withdrawn';

export interface PromptQueue extends Readable<readonly Prompt[]> {
  /** `answer` resolves when the person answers, the time is over, or `withdraw` is called. */
  ask(call: Call, question: Question, about: { agentName: string; locale: Locale }): OpenPrompt;
}

export interface OpenPrompt {
  readonly answer: Promise<PromptAnswer>;
  withdraw(): void;
}

/** Only the first prompt is shown, the others wait (CG-10). */
export function createPrompts(platform: Pick<Platform, 'now' | 'setTimer'>): PromptQueue {
  const queue = createObservable<readonly Prompt[]>([]);
  let count = 0;

  const replace = (prompt: Prompt) =>
    queue.set(queue.getSnapshot().map((held) => (held.id === prompt.id ? prompt : held)));

  return {
    getSnapshot: queue.getSnapshot,
    subscribe: queue.subscribe,
    ask(call, question, about) {
      const id = `prompt-${++count}`;
      let deadline = call.expiresAt;
      let stopTimer = () => {};
      let settled = false;
      const { promise: answer, resolve } = createDeferred<PromptAnswer>();
      const finish = (given: PromptAnswer) => {
        if (settled) return;
        settled = true;
        stopTimer();
        queue.set(queue.getSnapshot().filter((held) => held.id !== id));
        resolve(given);
      };
      // Timers are late on a machine that slept, so the clock decides.
      const isOver = () => platform.now().getTime() >= deadline;
      const watch = () => {
        stopTimer();
        const left = deadline - platform.now().getTime();
        stopTimer = platform.setTimer(
          () => (isOver() ? finish('timeout') : watch()),
          Math.max(0, Math.min(left, 2 ** 31 - 1)),
        );
      };
      const reply = (given: PromptAnswer) => finish(isOver() ? 'timeout' : given);
      const prompt: Prompt = {
        id,
        ...describe(call, question, about),
        shown() {
          const held = queue.getSnapshot()[0];
          if (settled || held?.id !== id || held.deadline !== undefined || held.answerMs === undefined) return;
          deadline = Math.min(deadline, platform.now().getTime() + held.answerMs);
          replace({ ...held, deadline });
          watch();
        },
        allow: () => reply('allow'),
        deny: () => reply('deny'),
        alwaysDeny: () => reply(prompt.canAlwaysDeny ? 'always_deny' : 'deny'),
      };
      // Before anyone sees it: whoever answers at once ends this timer, too.
      watch();
      queue.set([...queue.getSnapshot(), prompt]);
      return { answer, withdraw: () => finish('withdrawn') };
    },
  };
}

function describe(call: Call, { tool, level, executor }: Question, about: { agentName: string; locale: Locale }) {
  const note = executor.privacyNote?.(call.arguments, about.locale);
  return {
    callId: call.callId,
    conversationId: call.conversationId,
    agentId: call.agentId,
    agentName: displayText(about.agentName),
    tool: { name: displayText(tool.tool.name), description: toolText(tool.tool, about.locale) },
    scope: { id: displayText(tool.scope.id), ...scopeText(tool.scope, about.locale) },
    level,
    arguments: call.arguments,
    argumentViews: viewArguments(call.arguments),
    ...(note === undefined ? {} : { note: displayText(note, 400) }),
    canAlwaysDeny: level === 'high',
    ...(level === 'high' ? { answerMs: ANSWER_MS } : {}),
    expiresAt: call.expiresAt,
  };
}
