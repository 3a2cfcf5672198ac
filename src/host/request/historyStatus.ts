import type { ChatConfig } from '../../engine/chat/settings/config.js';
import { compactionSettings, isAutomatic } from '../../engine/compaction/settings.js';
import { isDue, triggerPlace, triggerTokens } from '../../engine/compaction/policies/triggers.js';
import type { ApiHistoryStatus } from '../../protocol/api/api.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { loadOf } from '../../engine/next/room.js';

/** The API reports this share of the model's input limit as `maxHistoryTokens`. */
const HISTORY_SHARE = 1 / 16;

/** Returns how much of the context window the conversation uses in the request. For the API and the panel. */
export function historyStatus(composed: ComposedRequest, config: ChatConfig): ApiHistoryStatus {
  const { budget, model, size } = composed;
  const { maxInputTokens } = model;
  const load = loadOf(composed);
  const settings = compactionSettings(config);
  const enabled = isAutomatic(config);
  const place = enabled ? triggerPlace(settings, load) : null;
  const trigger = place?.unit === 'tokens' ? triggerTokens(settings, load) : 0;
  const [done, most] = place?.unit === 'messages' ? [load.messages, place.at] : [load.historyTokens, trigger];
  return {
    historyTokens: load.historyTokens,
    maxHistoryTokens: maxInputTokens === null ? null : Math.floor(maxInputTokens * HISTORY_SHARE),
    maxInputTokens,
    remaining: Math.max(0, budget - size.tokens),
    needsSummary: enabled && isDue(settings, load),
    compaction: { enabled, trigger, percent: most > 0 ? Math.round((done / most) * 100) : 0 },
  };
}
