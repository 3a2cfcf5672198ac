import { modelKey } from '../../engine/chat/config.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { Model } from '../../engine/run/model.js';
import { latestCut } from '../../engine/tokens/calibration.js';
import { tokens } from '../../protocol/numbers.js';

/** Returns a warning when the server has probably cut the latest request of the chat; empty otherwise. */
export function cutWarning({ lessons }: Pick<ChatState, 'lessons'>, { ref }: Pick<Model, 'ref'>): readonly string[] {
  const cut = latestCut(lessons.get(modelKey(ref))?.samples ?? []);
  return cut === null
    ? []
    : [
        `The server has probably cut your last request: ${tokens(cut.counted)} tokens were counted here and ${tokens(cut.reported)} reported. ` +
          'Raise the context size of the server, or set maxInputTokens of the model to it.',
      ];
}
