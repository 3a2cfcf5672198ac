import type { LeftOut } from '../chat/leftOut.js';
import { toolCallsOf } from '../chat/message.js';
import type { BlockFactory } from './blockFactory.js';
import type { Said } from './gather.js';
import type { ForgottenTools } from './manifest.js';
import type { ResultTexts } from './resultText.js';
import type { ToolMemory } from './toolMemory.js';

/** The tool calls that a request leaves out of these messages, in their order. A text that `results` lacks counts as its note. */
export function forgottenTools(
  conversation: readonly Said[],
  { toolMemory, leftOut }: { readonly toolMemory: ToolMemory; readonly leftOut: LeftOut },
  results: ResultTexts,
  factory: BlockFactory,
): readonly ForgottenTools[] {
  return conversation.flatMap((said) =>
    said.kind === 'reply' && said.calls === 'forgotten'
      ? [forgottenIn(said, leftOut.calls.has(said.message.id) ? null : toolMemory.forgetAfterConclusions, results, factory)]
      : [],
  );
}

function forgottenIn(
  { message, results: located }: Extract<Said, { readonly kind: 'reply' }>,
  after: number | null,
  results: ResultTexts,
  factory: BlockFactory,
): ForgottenTools {
  const calls = toolCallsOf(message);
  let tokens = 0;
  for (const [index, part] of message.parts.entries()) {
    if (part.type === 'toolCall') {
      const answer = located.get(part.id);
      tokens += factory.messageBlock({ messageId: message.id, index, role: 'assistant', part }, results)?.tokens ?? 0;
      tokens += answer === undefined ? 0 : (factory.messageBlock({ ...answer, role: 'tool-results' }, results)?.tokens ?? 0);
    }
  }
  return { messageId: message.id, tools: [...new Set(calls.map(({ name }) => name))], calls: calls.length, tokens, after };
}
