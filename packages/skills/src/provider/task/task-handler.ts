import type { Locale } from '@parley/base';
import { displayText, type JsonObject } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { type Block, MAX_REVISION } from '@parley/protocol';
import { STOPPING } from '../execution.ts';
import { type HandlerContext, HandlerError, type SkillHandler } from '../handler.ts';
import { CardAnswers, cardOf, type TaskEvent } from './card-answers.ts';
import { makeForm } from './form.ts';
import { TASK_TEXTS } from './texts.ts';

interface FormCard {
  readonly subtype: 'form';
  readonly title: string;
  readonly blocks: Block[];
}

/** The part of our agents that is needed here. */
export interface TaskAgent {
  sendArtifact(
    conversationId: string,
    card: FormCard & { artifact_id: string },
    options: { clientMessageId: string },
  ): Promise<unknown>;
  updateArtifact(conversationId: string, artifactId: string, card: FormCard & { revision: number }): Promise<unknown>;
  addEventHandler(handler: (event: TaskEvent) => unknown): () => void;
}

export interface TaskOptions {
  readonly descriptor: SkillDescriptor;
  /** The conversation in which the person is asked. */
  readonly conversationId: string;
  readonly locale?: Locale;
}

const MAX_SHOWN = 20_000;
const MAX_TITLE = 200;
/** Each attempt has this many revisions of the card, so that a later attempt always replaces an earlier one. */
const REVISIONS = 20;

/**
 * Creates a handler that gives the work to a person: a card in their conversation to accept or decline, then a form for
 * the result (SI-5). The card belongs to the execution: the attempt after a restart finds it, and asks again.
 */
export function createTaskHandler(
  agent: TaskAgent,
  { descriptor, conversationId, locale = 'en' }: TaskOptions,
): SkillHandler {
  const texts = TASK_TEXTS[locale];
  const form = makeForm(descriptor.output, texts.result);
  const answers = new CardAnswers(conversationId);
  agent.addEventHandler((event) => answers.take(event));

  return async (inputs, context) => {
    const card = openCard(agent, conversationId, context, descriptor.name);
    const task = describeTask(descriptor, inputs, texts.lead);
    const decline: Block = { tag: 'action', id: 'reject', label: texts.reject, style: 'plain' };
    const accept: Block = { tag: 'action', id: 'accept', label: texts.accept, style: 'primary' };
    const finish: Block = { tag: 'action', id: 'done', label: texts.done, style: 'primary' };
    const asForm = (note: Block): Block[] => [...task, note, ...form.blocks, finish, decline];
    try {
      await card.send([...task, accept, decline]);
      if (context.attempt > 1) await card.show(asForm({ tag: 'status', text: texts.again, tone: 'info' }));
      for (;;) {
        const { action, values = {} } = await answers.next(card.id, context.signal);
        if (action === 'reject') throw new HandlerError('The person declined.', { reason: 'declined' });
        if (action === 'accept') {
          context.progress(0.5, texts.accept);
          await card.show(asForm({ tag: 'text', text: texts.form }));
        } else if (action === 'done') {
          const read = form.read(values);
          if ('output' in read) {
            await card.close({ tag: 'status', text: texts.finished, tone: 'success' });
            return read.output;
          }
          const fields = displayText(read.wrong.join(', '));
          const text = texts.incomplete.replace('{fields}', () => fields);
          await card.show(asForm({ tag: 'status', text, tone: 'warning' }));
        }
      }
    } catch (error) {
      // The next process takes the execution up.
      if (context.signal.reason === STOPPING) throw error;
      const declined = error instanceof HandlerError && error.details.reason === 'declined';
      await card.close({ tag: 'status', text: declined ? texts.rejected : texts.withdrawn, tone: 'info' });
      throw error;
    }
  };
}

function openCard(agent: TaskAgent, conversationId: string, { executionId, attempt }: HandlerContext, name: string) {
  const id = cardOf(executionId);
  const title = displayText(name, MAX_TITLE);
  let revision = Math.min((attempt - 1) * REVISIONS, MAX_REVISION - REVISIONS) + 1;
  const show = async (blocks: Block[]) => {
    if (revision >= MAX_REVISION) throw new HandlerError('The form was sent too often.', { reason: 'too_often' });
    revision += 1;
    await agent.updateArtifact(conversationId, id, { subtype: 'form', title, blocks, revision });
  };
  return {
    id,
    show,
    // Every attempt uses the same message id, so that nobody gets the card twice.
    send: (blocks: Block[]) =>
      agent.sendArtifact(
        conversationId,
        { artifact_id: id, subtype: 'form', title, blocks },
        { clientMessageId: executionId },
      ),
    /** The result does not depend on whether the person is told. */
    close: (status: Block) => show([status]).catch(() => {}),
  };
}

function describeTask({ description }: SkillDescriptor, inputs: JsonObject, lead: string): Block[] {
  const shown = JSON.stringify(inputs, null, 2).slice(0, MAX_SHOWN);
  return [
    { tag: 'text', text: `${lead}\n${description}`.slice(0, MAX_SHOWN) },
    { tag: 'code', text: shown, language: 'json' },
  ];
}
