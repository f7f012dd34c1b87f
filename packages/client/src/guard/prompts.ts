import { createDeferred, createObservable, type Locale, type Readable } from '@parley/base';
import { displayText, displayValue, type Sensitivity, scopeText, toolText } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { describeCall, fitQuotation } from '../executors/describe.ts';
import { type ArgumentView, viewArguments } from './arguments-view.ts';
import type { Call, Question } from './decide.ts';
import { takeTurns } from './take-turns.ts';
import { type Remember, rememberable } from './window.ts';

/** The time to answer a `high` prompt, from when it is shown (CG-6). */
const ANSWER_MS = 30_000;
/** The most questions of one agent that wait (CG-14). */
const MAX_WAITING = 10;
/** So many questions of one agent within a minute are a flood: "stop asking" is offered (CG-14). */
const FLOOD = { questions: 3, withinMs: 60_000 };
/** With less than this left to live, a question would be gone before anyone has read it (CG-14). */
const LEAST_MS = 5_000;
/** A place may be free sooner than the first question expires: people answer. */
const RETRY_MS = { least: 1_000, most: 60_000 };
const TOO_LATE = { kind: 'too_late', retryAfterMs: LEAST_MS } as const;

/**
 * Everything that a dialog shows (CG-10), and the possible answers. The texts are safe to show; none of them is markup.
 */
export interface Prompt {
  readonly id: string;
  readonly callId: string;
  readonly conversationId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** The description is the agent's own, and stands in quotation marks. */
  readonly tool: { readonly name: string; readonly description: string };
  /** Ends the sentence "DemoBot wants to …", in our words (WC-12). */
  readonly wants: string;
  /** The same for a button; absent where nobody but the agent says what the tool does. */
  readonly act?: string;
  /** Its place among the questions since none was left (WC-11). */
  readonly place: { readonly at: number; readonly of: number };
  readonly scope: { readonly id: string; readonly label: string; readonly description?: string };
  readonly level: Sensitivity;
  /** The arguments as the agent sent them, not safe to show. */
  readonly arguments: Call['arguments'];
  readonly argumentViews: readonly ArgumentView[];
  /** What this call means for the person's privacy (CG-13). */
  readonly note?: string;
  /** What a yes covers by default beside this call, in words (CG-15); absent where that is the whole tool. */
  readonly edge?: string;
  /** The call is running and wants to go on to `edge`, where no answer covers it. */
  readonly leadsOn: boolean;
  /** What a yes can be remembered for; the first is the default. Empty where every call is asked about. */
  readonly remember: readonly Remember[];
  readonly canAlwaysDeny: boolean;
  /** The agent asks so often that the person may want it to stop (CG-14). */
  readonly canStopAsking: boolean;
  /** How long the person has to answer once it is shown; absent where only the call's own lifetime ends it. */
  readonly answerMs?: number;
  /** Set while the prompt is shown. */
  readonly deadline?: number | undefined;
  /** When the call itself expires. */
  readonly expiresAt: number;
  /** Call it when the dialog is on the screen: the 30 seconds begin, or go on. */
  shown(): void;
  /** Call it when nobody can see the dialog any more: the 30 seconds stand still, and only the call's own lifetime counts. */
  hidden(): void;
  /** Anything that `remember` does not offer counts as only this once. */
  allow(remember?: Remember): void;
  deny(): void;
  /** Denies this question and every other one of its agent that waited beside it in this snapshot (WC-15). */
  denyAll(): void;
  alwaysDeny(): void;
  /** Denies, and refuses for an hour whatever else of this agent would be asked about. */
  stopAsking(): void;
}

type PromptAnswer =
  | { readonly kind: 'allow'; readonly remember: Remember }
  | { readonly kind: 'deny' | 'always_deny' | 'stop_asking' | 'timeout' | 'withdrawn' }
  /** Too little time was left when it would have been shown. */
  | { readonly kind: 'too_late'; readonly retryAfterMs: number };

/** Its place is known once it is in the queue. */
interface HeldPrompt extends Omit<Prompt, 'place' | 'denyAll'> {
  /** Answers it without having asked. */
  drop(): void;
}

interface PromptContext {
  readonly agentName: string;
  readonly locale: Locale;
  /** The call runs already, and leads on to another edge. */
  readonly leadsOn?: boolean;
}

export interface PromptQueue extends Readable<readonly Prompt[]> {
  /** How long an agent had better wait that has no place left in the queue; undefined if it has one. */
  retryAfter(agentId: string): number | undefined;
  /** `answer` resolves when the person answers, the time is over, or `withdraw` is called. */
  ask(call: Call, question: Question, about: PromptContext): OpenPrompt;
}

export interface OpenPrompt {
  readonly answer: Promise<PromptAnswer>;
  withdraw(): void;
}

/** Only the first prompt is shown, the others wait (CG-10) and take turns (CG-14). */
export function createPrompts(platform: Pick<Platform, 'now' | 'setTimer'>): PromptQueue {
  const queue = createObservable<readonly Prompt[]>([]);
  /** By agent: when its latest questions came, and which turn it was shown in last. */
  const askedAt = new Map<string, readonly number[]>();
  const lastShown = new Map<string, number>();
  /** In the order of arrival. */
  let waiting: readonly HeldPrompt[] = [];
  /** How many were answered, or withdrawn, since none was left. */
  let done = 0;
  let count = 0;
  let turn = 0;
  const now = () => platform.now().getTime();
  const isTooLate = ({ expiresAt }: Pick<Prompt, 'expiresAt'>) => expiresAt - now() < LEAST_MS;

  /** The prompt on the screen stays where it is: someone may be about to answer it. */
  function update(): void {
    const shown = waiting.find(({ id }) => id === queue.getSnapshot()[0]?.id);
    if (shown === undefined) for (const { drop } of waiting.filter(isTooLate)) drop();
    const others = takeTurns(
      waiting.filter((prompt) => prompt !== shown),
      lastShown,
    );
    const [first, ...rest] = shown === undefined ? others : [shown, ...others];
    if (first !== undefined && shown === undefined) lastShown.set(first.agentId, ++turn);
    const order = first === undefined ? [] : [first, ...rest];
    const of = done + order.length;
    queue.set(
      order.map(({ drop: _, ...prompt }, index) => ({
        ...prompt,
        place: { at: done + index + 1, of },
        denyAll() {
          for (const { agentId, deny } of order) if (agentId === prompt.agentId) deny();
        },
      })),
    );
  }

  const replace = (id: string, change: Partial<HeldPrompt>) => {
    waiting = waiting.map((held) => (held.id === id ? { ...held, ...change } : held));
  };

  /** Offers to stop asking in every open prompt of an agent that asks too often. */
  function noteQuestion(agentId: string): boolean {
    const since = now() - FLOOD.withinMs;
    const times = [...(askedAt.get(agentId) ?? []).filter((time) => time > since), now()].slice(-FLOOD.questions);
    askedAt.set(agentId, times);
    const isFlood = times.length >= FLOOD.questions;
    if (isFlood)
      for (const { id } of waiting.filter((one) => one.agentId === agentId)) replace(id, { canStopAsking: true });
    return isFlood;
  }

  return {
    getSnapshot: queue.getSnapshot,
    subscribe: queue.subscribe,
    retryAfter(agentId) {
      const own = waiting.filter((prompt) => prompt.agentId === agentId);
      if (own.length < MAX_WAITING) return undefined;
      const left = Math.min(...own.map(({ expiresAt, deadline }) => deadline ?? expiresAt)) - now();
      return Math.min(Math.max(left, RETRY_MS.least), RETRY_MS.most);
    },
    ask(call, question, about) {
      if (isTooLate(call)) return { answer: Promise.resolve(TOO_LATE), withdraw() {} };
      const id = `prompt-${++count}`;
      let deadline = call.expiresAt;
      /** What is left of the 30 seconds while nobody can see the question. */
      let leftMs: number | undefined;
      let stopTimer = () => {};
      let settled = false;
      const { promise: answer, resolve } = createDeferred<PromptAnswer>();
      const finish = (given: PromptAnswer) => {
        if (settled) return;
        settled = true;
        stopTimer();
        waiting = waiting.filter((held) => held.id !== id);
        done = waiting.length === 0 ? 0 : done + 1;
        resolve(given);
        update();
      };
      // Timers are late on a machine that slept, and clocks are put back: whichever comes first decides.
      const isOver = () => now() >= deadline;
      const watch = () => {
        stopTimer();
        stopTimer = platform.setTimer(() => finish({ kind: 'timeout' }), Math.max(0, deadline - now()));
      };
      const reply = (given: PromptAnswer) => finish(isOver() ? { kind: 'timeout' } : given);
      const described = describe(call, question, about);
      const prompt: HeldPrompt = {
        id,
        ...described,
        canStopAsking: noteQuestion(call.agentId),
        shown() {
          const held = queue.getSnapshot()[0];
          if (settled || held?.id !== id || held.deadline !== undefined || held.answerMs === undefined) return;
          deadline = Math.min(call.expiresAt, now() + (leftMs ?? held.answerMs));
          replace(id, { deadline });
          update();
          watch();
        },
        hidden() {
          const held = queue.getSnapshot()[0];
          if (settled || held?.id !== id || held.deadline === undefined || held.answerMs === undefined) return;
          if (isOver()) return finish({ kind: 'timeout' });
          leftMs = Math.min(deadline - now(), held.answerMs);
          deadline = call.expiresAt;
          replace(id, { deadline: undefined });
          update();
          watch();
        },
        allow(remember = described.remember[0] ?? 'once') {
          reply({ kind: 'allow', remember: described.remember.includes(remember) ? remember : 'once' });
        },
        deny: () => reply({ kind: 'deny' }),
        drop: () => finish(TOO_LATE),
        alwaysDeny: () => reply({ kind: described.canAlwaysDeny ? 'always_deny' : 'deny' }),
        stopAsking: () => reply({ kind: 'stop_asking' }),
      };
      // Before anyone sees it: whoever answers at once ends this timer, too.
      watch();
      waiting = [...waiting, prompt];
      update();
      return { answer, withdraw: () => finish({ kind: 'withdrawn' }) };
    },
  };
}

const USE = { en: (tool: string) => `use ${tool}`, 'zh-CN': (tool: string) => `使用 ${tool}` };
const GO_ON = {
  en: (edge: string) => `go on with ${edge}`,
  'zh-CN': (edge: string) => `继续：${edge}`,
};

function describe(call: Call, { tool, level, executor, edge }: Question, about: PromptContext) {
  const { leadsOn = false, locale } = about;
  const described = leadsOn && edge !== undefined ? undefined : describeCall(executor, call.arguments, locale);
  const name = displayText(tool.tool.name);
  const shownEdge = edge && displayValue(edge.text[locale], 1_000).text;
  // The note is about where the arguments lead.
  const note = leadsOn ? undefined : executor.privacyNote?.(call.arguments, locale);
  return {
    callId: call.callId,
    conversationId: call.conversationId,
    agentId: call.agentId,
    agentName: displayText(about.agentName),
    tool: { name, description: fitQuotation(toolText(tool.tool, locale)) },
    ...(described ?? { wants: leadsOn && shownEdge !== undefined ? GO_ON[locale](shownEdge) : USE[locale](name) }),
    scope: { id: displayText(tool.scope.id), ...scopeText(tool.scope, locale) },
    level,
    arguments: call.arguments,
    argumentViews: viewArguments(call.arguments),
    ...(note === undefined ? {} : { note: displayText(note, 400) }),
    ...(shownEdge === undefined ? {} : { edge: shownEdge }),
    leadsOn,
    remember: level === 'high' ? [] : rememberable({ edge }),
    canAlwaysDeny: level === 'high',
    ...(level === 'high' ? { answerMs: ANSWER_MS } : {}),
    expiresAt: call.expiresAt,
  };
}
