import type { ChatState } from '../../../engine/chat/state.js';
import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { latestCut } from '../../../engine/tokens/calibration.js';
import { tokens } from '../../../protocol/numbers.js';
import { droppedSentences } from '../../request/excluded/droppedTexts.js';
import { changedTools } from './changedTools.js';

/** Returns sentences about problems with a request, except problems of servers and spend limits. */
export function requestWarnings(composed: ComposedRequest, state: ChatState): readonly string[] {
  const { model, records } = composed;
  return [...cutWarning(state, model), ...agentWarning(composed), ...changedTools(composed, state), ...droppedSentences(records)];
}

function agentWarning({ missingAgent, context }: ComposedRequest): readonly string[] {
  if (missingAgent === null) {
    return [];
  }
  return context.isRestricted
    ? [`In Restricted Mode, Loupe does not send the prompt of the agent ${missingAgent}. Trust this folder to send it.`]
    : [`The agent ${missingAgent} does not exist, so Loupe cannot send its prompt. Choose another agent in the chat settings.`];
}

/** Returns a warning when the server has probably cut the latest request of the chat. */
export function cutWarning({ lessons }: Pick<ChatState, 'lessons'>, { ref }: Pick<Model, 'ref'>): readonly string[] {
  const cut = latestCut(lessons.get(modelKey(ref))?.samples ?? []);
  return cut === null
    ? []
    : [
        `The server has probably cut your last request: Loupe counted ${tokens(cut.counted)} tokens, but the server reported ${tokens(cut.reported)}. ` +
          'Raise the context size of the server, or set maxInputTokens of the model to the context size of the server.',
      ];
}
