import type { ChatConfig } from '../../engine/chat/config.js';
import type { ChatSettingsView } from '../../protocol/view.js';
import { modelKey } from '../models.js';

/** The config of a chat as the panel and the API tell it: the model by its key. */
export function configView({ model, ...rest }: ChatConfig): ChatSettingsView {
  return { model: modelKey(model), ...rest };
}
