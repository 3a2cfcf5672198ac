import { member } from '../../providers/json.js';
import type { ChatQuestions } from '../chat/chatQuestions.js';
import {
  type ProviderPorts,
  addProvider,
  editProvider,
  removeApiKey,
  removeProvider,
  setApiKey,
} from '../models/providers/providerCommands.js';
import type { ShownChat } from '../panel/shell/shownChat.js';

export interface ModelCommandPorts {
  readonly shown: Pick<ShownChat, 'named'>;
  readonly questions: ChatQuestions;
  readonly providers: ProviderPorts;
}

export const MODEL_COMMANDS = {
  'loupe.selectModel': async ({ shown, questions }: ModelCommandPorts, key: unknown, options: unknown) =>
    questions.model(await shown.named(member(options, 'chatId')), key),
  'loupe.addProvider': ({ providers }: ModelCommandPorts, config: unknown, key: unknown) => addProvider(providers, config, key),
  'loupe.editProvider': ({ providers }: ModelCommandPorts, providerId: unknown, modelId: unknown) =>
    editProvider(providers, providerId, modelId),
  'loupe.removeProvider': ({ providers }: ModelCommandPorts, providerId: unknown) => removeProvider(providers, providerId),
  'loupe.setApiKey': ({ providers }: ModelCommandPorts, providerId: unknown, key: unknown) => setApiKey(providers, providerId, key),
  'loupe.removeApiKey': ({ providers }: ModelCommandPorts, providerId: unknown) => removeApiKey(providers, providerId),
};
