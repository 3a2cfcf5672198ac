import { modelKey } from '../../engine/chat/config.js';
import { failure } from '../../engine/errors.js';
import type { Model } from '../../engine/run/model.js';
import { member } from '../../providers/json.js';
import type { SettingsReader } from '../chat/settingsReader.js';
import { pickModel } from '../models/pickModel.js';
import { modelMenu } from '../models/providers/modelMenu.js';
import {
  addProvider,
  editProvider,
  removeApiKey,
  removeProvider,
  setApiKey,
  type ProviderPorts,
} from '../models/providers/providerCommands.js';
import type { ModelRegistry } from '../models/registry.js';
import type { ShownChat } from '../panel/shownChat.js';

export interface ModelCommandPorts {
  readonly shown: Pick<ShownChat, 'named'>;
  readonly models: Pick<ModelRegistry, 'list' | 'providers' | 'ready'>;
  readonly providers: ProviderPorts;
  readonly settings: Pick<SettingsReader, 'current'>;
  /** What is known of the providers' limits, by model, in words. */
  readonly limits: () => ReadonlyMap<string, string>;
}

/** The commands about models, their providers and keys. */
export const MODEL_COMMANDS = {
  'loupe.selectModel': selectModel,
  'loupe.addProvider': ({ providers }: ModelCommandPorts, config: unknown, key: unknown) => addProvider(providers, config, key),
  'loupe.editProvider': ({ providers }: ModelCommandPorts, providerId: unknown) => editProvider(providers, providerId),
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
  const picked = await pickModel(() =>
    modelMenu(models.providers(), {
      here: modelKey(session.state.config.model),
      inNewChats: modelKey(settings.current().model),
      limits: ports.limits(),
    }),
  );
  if (picked?.type === 'model') {
    await session.changeConfig({ model: picked.model.ref });
  } else if (picked?.type === 'add') {
    await addProvider(providers, undefined, undefined);
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
