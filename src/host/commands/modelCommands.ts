import { modelKey } from '../../engine/model/modelRef.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { Model } from '../../engine/model/model.js';
import { member } from '../../providers/json.js';
import type { SettingsReader } from '../chat/settingsReader.js';
import { pickModel } from '../models/pickModel.js';
import type { ChatSession } from '../chat/chatSession.js';
import { type MenuLine, type StayingForecast, modelMenu } from '../models/providers/modelMenu.js';
import {
  type ProviderPorts,
  addProvider,
  editProvider,
  removeApiKey,
  removeProvider,
  setApiKey,
} from '../models/providers/providerCommands.js';
import type { ModelRegistry } from '../models/registry.js';
import type { ShownChat } from '../panel/shell/shownChat.js';

export interface ModelCommandPorts {
  readonly shown: Pick<ShownChat, 'named'>;
  readonly models: Pick<ModelRegistry, 'list' | 'providers' | 'ready'>;
  readonly providers: ProviderPorts;
  readonly settings: Pick<SettingsReader, 'current'>;
  /** Returns the known rate limits of providers as text, by model key. */
  readonly limits: () => ReadonlyMap<string, string>;
}

export const MODEL_COMMANDS = {
  'loupe.selectModel': selectModel,
  'loupe.addProvider': ({ providers }: ModelCommandPorts, config: unknown, key: unknown) => addProvider(providers, config, key),
  'loupe.editProvider': ({ providers }: ModelCommandPorts, providerId: unknown, modelId: unknown) =>
    editProvider(providers, providerId, modelId),
  'loupe.removeProvider': ({ providers }: ModelCommandPorts, providerId: unknown) => removeProvider(providers, providerId),
  'loupe.setApiKey': ({ providers }: ModelCommandPorts, providerId: unknown, key: unknown) => setApiKey(providers, providerId, key),
  'loupe.removeApiKey': ({ providers }: ModelCommandPorts, providerId: unknown) => removeApiKey(providers, providerId),
};

async function selectModel(ports: ModelCommandPorts, key: unknown, options: unknown): Promise<void> {
  const { shown, models, providers, settings } = ports;
  const session = await shown.named(member(options, 'chatId'));
  if (typeof key === 'string') {
    await session.changeConfig({ model: (await findModel(models, key)).ref });
    return;
  }
  let staying: StayingForecast | null = null;
  const known = stayingIn(session).then((found) => {
    staying = found;
  });
  const menu = (): readonly MenuLine[] =>
    modelMenu(models.providers(), {
      here: modelKey(session.state.config.model),
      inNewChats: modelKey(settings.current().model),
      limits: ports.limits(),
      staying,
    });
  const picked = await pickModel(menu, known);
  if (picked?.type === 'model') {
    await session.changeConfig({ model: picked.model.ref });
  } else if (picked?.type === 'add') {
    await addProvider(providers, undefined, undefined);
  }
}

/** Returns the expected size and cost of the next request with the current model. Null when unknown. */
async function stayingIn(session: ChatSession): Promise<StayingForecast | null> {
  try {
    const { size, forecast, isPartial } = await session.preview({ text: '', editing: null });
    return forecast === null || isPartial ? null : { tokens: size.tokens, read: forecast.parts.read, cost: forecast.costNow };
  } catch (thrown) {
    if (toLoupeError(thrown).kind !== 'modelGone') {
      throw thrown;
    }
    return null;
  }
}

async function findModel(models: ModelCommandPorts['models'], key: string): Promise<Model> {
  const find = (): Model | undefined => models.list().find(({ ref }) => modelKey(ref) === key);
  if (find() === undefined) {
    await models.ready();
  }
  const model = find();
  if (model === undefined) {
    throw failure('model.unknown', { key });
  }
  return model;
}
