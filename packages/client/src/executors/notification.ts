import { displayText, type Json, type JsonObject } from '@parley/documents';
import { defineArguments } from './arguments.ts';

const readArguments = defineArguments<{ title: string; body?: string }>(
  { title: { type: 'string', minLength: 1, maxLength: 200 }, body: { type: 'string', maxLength: 1_000 } },
  ['title'],
);

export const SHOWN: Json = { shown: true };

/** Reads title and body as one line each, without hidden characters: they are shown beside messages of the system. */
export function readNotification(args: JsonObject): { title: string; body: string } {
  const { title, body = '' } = readArguments(args);
  return { title: displayText(title, 200), body: displayText(body, 1_000) };
}
