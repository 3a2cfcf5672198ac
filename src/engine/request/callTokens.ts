import type { BlockFactory } from './blockFactory.js';
import type { Said } from './gather.js';
import type { ResultTexts } from './resultText.js';

/** Tokens of a tool call of a reply and of its result. A text that `resultTexts` lacks counts as its note. */
export function callTokens(
  { message, results }: Extract<Said, { readonly kind: 'reply' }>,
  callId: string,
  { factory, resultTexts }: { readonly factory: BlockFactory; readonly resultTexts: ResultTexts },
): number {
  const index = message.parts.findIndex((part) => part.type === 'toolCall' && part.id === callId);
  const call = message.parts[index];
  const answer = results.get(callId);
  const own =
    call === undefined ? null : factory.messageBlock({ messageId: message.id, index, role: 'assistant', part: call }, resultTexts);
  const told = answer === undefined ? null : factory.messageBlock({ ...answer, role: 'tool-results' }, resultTexts);
  return (own?.tokens ?? 0) + (told?.tokens ?? 0);
}
