import { type Agent, type CardChanges, ToolError } from '@parley/agent';
import type { Locale } from '@parley/base';
import type { OpenCards, Values } from './open-cards.ts';
import { type HasheeTexts, TEXTS } from './texts.ts';
import { createTools, type Tools } from './tools.ts';

export type Block = NonNullable<CardChanges['blocks']>[number];

interface Question {
  readonly kind: 'form' | 'approval';
  readonly title: string;
  readonly blocks: readonly Block[];
  /** The label of the button that continues; the other one always cancels. */
  readonly go: string;
  readonly danger?: boolean;
}

/** One exchange with one person, in their language. */
export interface Turn {
  readonly locale: Locale;
  readonly texts: HasheeTexts;
  readonly tools: Tools;
  say(text: string): Promise<void>;
  show(title: string, blocks: readonly Block[]): Promise<void>;
  /** Sends a card; `goOn` runs when the person agrees, which may be much later or never. */
  ask(question: Question, goOn: (values: Values) => Promise<void>): Promise<void>;
  /** Tells the person whatever goes wrong. */
  attempt(work: () => Promise<void>): Promise<void>;
}

export interface TurnDeps {
  readonly agent: Pick<Agent, 'send' | 'sendArtifact' | 'callTool'>;
  readonly cards: OpenCards;
  /** Counts a tool call. Returns the milliseconds until it may be made; 0 if it may be made now. */
  waitOf(conversationId: string): number;
  report(error: unknown): void;
}

const GO = 'go';

export function createTurn(deps: TurnDeps, conversationId: string, locale: Locale): Turn {
  const { agent, cards, waitOf, report } = deps;
  const texts = TEXTS[locale];
  const say = async (text: string) => void (await agent.send(conversationId, { type: 'text', text }));
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ToolError)) report(error);
      await say(error instanceof ToolError ? explain(error, texts) : texts.failed);
    }
  };
  return {
    locale,
    texts,
    tools: createTools(agent, conversationId, () => waitOf(conversationId)),
    say,
    attempt,
    async show(title, blocks) {
      await agent.sendArtifact(conversationId, { subtype: 'status', title, blocks: [...blocks] });
    },
    async ask({ kind, title, blocks, go, danger = false }, goOn) {
      const id = crypto.randomUUID();
      // The card is added before it is sent: the answer may arrive before the server's acknowledgement.
      cards.add(id, {
        conversationId,
        resume: (action, values) => attempt(() => (action === GO ? goOn(values) : say(texts.cancelled))),
      });
      await agent.sendArtifact(conversationId, {
        artifact_id: id,
        subtype: kind,
        title,
        blocks: [
          ...blocks,
          { tag: 'action', id: GO, label: go, style: danger ? 'danger' : 'primary' },
          { tag: 'action', id: 'cancel', label: texts.cancel, style: 'plain' },
        ],
      });
    },
  };
}

/** Explains to the person why their device did not do it. */
function explain({ status, reason, retryAfterMs, detail }: ToolError, texts: HasheeTexts): string {
  if (reason === 'user_timeout') return texts.timedOut;
  if (reason === 'user_refused') return texts.refused;
  if (status === 'denied') return texts.notGranted;
  if (status === 'timeout' || reason === 'tool_timeout') return texts.noAnswer;
  if (reason === 'TOOL_UNAVAILABLE') return texts.unavailable;
  if (reason === 'RATE_LIMITED') return texts.busy(Math.ceil((retryAfterMs ?? 60_000) / 1_000));
  return texts.failedWith(detail);
}
