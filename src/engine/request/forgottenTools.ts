import { lacksAllCalls, type LeftOut } from '../chat/leftOut.js';
import { toolCallsOf, type ToolCallPart } from '../chat/message.js';
import type { Leaves } from '../chat/slices/marks.js';
import type { BlockFactory } from './blockFactory.js';
import { callTokens } from './callTokens.js';
import type { Said } from './gather.js';
import { isCallHeld } from './layout/exchanges.js';
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
  return conversation.flatMap((said): ForgottenTools[] => {
    if (said.kind === 'user' || said.leaving.size === 0) {
      return [];
    }
    const { message } = said;
    const { id: messageId } = message;
    const calls = toolCallsOf(message);
    const byUser = leftOut.calls.get(messageId) ?? new Map<string, Leaves>();
    const afterOf = (isByUser: boolean): number | null => (isByUser ? null : toolMemory.forgetAfterConclusions);
    const gone = calls.filter(({ id }) => !isCallHeld(said, id));
    const tokensOf = ({ id }: ToolCallPart): number => callTokens(said, id, { factory, resultTexts: results });
    if (gone.length < calls.length) {
      return gone.map((call) => {
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
