import { lacksAllCalls, type ExcludedParts } from '../chat/excludedParts.js';
import { toolCallsOf } from '../chat/message/message.js';
import type { ToolCallPart } from '../model/part.js';
import type { ExclusionTime } from '../chat/slices/marks.js';
import type { BlockFactory } from './blockFactory.js';
import type { ConversationUnit } from './gather.js';
import { isCallHeld } from './layout/turns.js';
import type { ForgottenTools } from '../record/manifest.js';
import type { ResultTexts } from './resultText.js';
import type { ToolMemory } from './toolMemory.js';

/** Returns the tool calls that a request does not send. For a missing text, counts the note that replaces it. */
export function forgottenTools(
  conversation: readonly ConversationUnit[],
  { toolMemory, excluded }: { readonly toolMemory: ToolMemory; readonly excluded: ExcludedParts },
  results: ResultTexts,
  factory: BlockFactory,
): readonly ForgottenTools[] {
  return conversation.flatMap((said): ForgottenTools[] => {
    if (said.kind === 'user' || said.excludedCalls.size === 0) {
      return [];
    }
    const { message } = said;
    const { id: messageId } = message;
    const calls = toolCallsOf(message);
    const byUser = excluded.calls.get(messageId) ?? new Map<string, ExclusionTime>();
    const afterOf = (isByUser: boolean): number | null => (isByUser ? null : toolMemory.forgetAfterConclusions);
    const unsentCalls = calls.filter(({ id }) => !isCallHeld(said, id));
    const tokensOf = ({ id }: ToolCallPart): number => callTokens(said, id, { factory, resultTexts: results });
    if (unsentCalls.length < calls.length) {
      return unsentCalls.map((call) => {
        const { id: callId, name } = call;
        return { messageId, callId, tools: [name], calls: 1, tokens: tokensOf(call), after: afterOf(byUser.has(callId)) };
      });
    }
    return [
      {
        messageId,
        tools: [...new Set(calls.map(({ name }) => name))],
        calls: calls.length,
        tokens: calls.reduce((sum, call) => sum + tokensOf(call), 0),
        after: afterOf(lacksAllCalls(message, byUser)),
      },
    ];
  });
}

/** Returns the tokens of a tool call and its result. For a missing text, counts the note that replaces it. */
export function callTokens(
  { message, results }: Extract<ConversationUnit, { readonly kind: 'reply' }>,
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
