import { join } from 'node:path';
import type * as vscode from 'vscode';
import { newId } from '../engine/chat/order/ids.js';
import { DraftFiles } from '../storage/drafts.js';
import { nodeTicker } from '../storage/windows/liveness.js';
import { Chats, type ChatsPorts } from './chat/chats.js';
import { Drafts } from './chat/drafts.js';
import { ClosedChats } from './chat/learning/closedChats.js';
import { Proofs } from './chat/proofs.js';
import type { SettingsReader } from './chat/settingsReader.js';
import { storedQuotas } from './chat/quota/providerQuotas.js';
import { watchChats } from './chat/windows/watchChats.js';
import { otherStorages, workspaceStorageFolder } from './transfer/otherChats.js';
import { DraftImages } from './context/images/draftImages.js';
import { promptFiles } from './context/promptFiles.js';
import { loadConverter } from './models/converters.js';
import type { ModelRegistry } from './models/registry.js';
import { ObservedCaches } from './request/forecast/observationView.js';
import { showBusy } from './window/chatView.js';
import { offerCancel } from './window/offerCancel.js';
import { folderNames } from './window/folders.js';
import { localTime, sha256, systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';
import type { chatStores } from './chatStores.js';
import type { WindowServices } from './windowServices.js';

export type ChatServices = ReturnType<typeof chatServices>;

const SYSTEM = { clock: systemClock, idleTimer: systemClock, random: systemRandom, sha256, loadConverter, localTime, folders: folderNames };

type ChatServicesPorts = Pick<WindowServices, 'root' | 'logError' | 'logInfo' | 'files'> &
  Omit<ChatsPorts, keyof typeof SYSTEM | 'quotas' | 'files' | 'defaults' | 'spendLimits' | 'models'> & {
    readonly storeAt: ReturnType<typeof chatStores>;
    readonly models: ModelRegistry;
    readonly settings: Pick<SettingsReader, 'current' | 'spendLimits'>;
  };

/** Creates the chats with their drafts, and updates the chats with changes by other VS Code windows. */
export function chatServices(
  context: Pick<vscode.ExtensionContext, 'subscriptions' | 'storageUri' | 'globalStorageUri'>,
  ports: ChatServicesPorts,
) {
  const { root, writerId, storeAt, models, settings, logError } = ports;
  const store = storeAt(root);
  // In the global storage, because the limits of a provider are the same in all workspaces.
  const quotas = storedQuotas(join(context.globalStorageUri.fsPath, 'quotas'), { ...ports, clock: systemClock });
  const chats = new Chats(store, {
    ...ports,
    ...SYSTEM,
    quotas,
    files: promptFiles(ports.files),
    defaults: () => settings.current(),
    spendLimits: () => settings.spendLimits(),
  });
  const global = context.globalStorageUri.fsPath;
  // VS Code gives a workspace a new storage when the user adds a folder.
  const storages = (): Promise<readonly string[]> =>
    otherStorages(root, global, workspaceStorageFolder(context.storageUri?.fsPath, global));
  const closedChats = new ClosedChats({ chats, store, storages, logError });
  context.subscriptions.push(watchChats(chats, { root, writerId, ticker: nodeTicker, logError }));
  const drafts = new Drafts(new DraftFiles(root), () => newId(systemClock, systemRandom), logError);
  return {
    chats,
    closedChats,
    storages,
    quotas,
    drafts,
    draftImages: new DraftImages(drafts, { clock: systemClock, showBusy, offerCancel: offerCancel('Adding images to the message') }),
    proofs: new Proofs({ chats, clock: systemClock, pricesOf: (ref) => models.listed(ref)?.prices ?? null }),
    observed: new ObservedCaches({ chats, caches: chats.learned.caches, models, clock: systemClock, localTime }),
    storeAt,
  };
}
