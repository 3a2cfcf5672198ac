import * as vscode from 'vscode';
import type { ChatState } from '../../../engine/chat/state.js';
import { itemKey, nameInKey, type ResourceBase } from '../../../engine/record/item.js';
import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/panel/toWebview.js';
import type { ContextTarget } from '../addPaths.js';
import type { ImageTarget } from '../images/addImages.js';
import { addUris, type AddFilesPorts } from '../addUris.js';
import { addCatalogItems } from '../catalog/catalogChoice.js';
import type { CatalogSource } from '../catalog/workspaceCatalog.js';
import type { PageFetches, PageTarget } from '../pages/pageFetches.js';
import { findFiles, openEditors } from '../workspaceListing.js';
import type { MentionedResources } from './mentionedResources.js';
import { mentionRows, pageRow } from './mentionRows.js';
import { TimedList } from './timedList.js';
import { textOfResource } from './textOfResource.js';

/** Time in ms for which a list of files is reused, longer than typing a name takes. */
const FRESH_MS = 10_000;

export interface MentionsPorts {
  readonly adding: AddFilesPorts;
  readonly catalog: CatalogSource;
  readonly resources: MentionedResources;
  readonly clock: Clock;
  readonly pages: Pick<PageFetches, 'add' | 'cancel' | 'retry'>;
  readonly tell: (mentions: Mentions) => void;
}

type MentioningChat = PageTarget & ImageTarget & { readonly state: Pick<ChatState, 'context' | 'config'> };

export class MentionFinder {
  readonly #ports: MentionsPorts;
  readonly #files: TimedList;

  constructor(ports: MentionsPorts) {
    this.#ports = ports;
    this.#files = new TimedList(() => findFiles(ports.adding.files(), null), ports.clock, FRESH_MS);
  }

  /** Sends matching rows to the panel, and again after each list of resources. Rejects if listing the files fails. */
  async find({ state }: MentioningChat, text: string): Promise<void> {
    const { adding, catalog, resources, tell } = this.#ports;
    const known = { files: await this.#files.get(), catalog: await catalog.ofChat(state.config) };
    const tellNow = (): void => {
      const held = new Set(state.context.keys());
      const mentionable = {
        ...known,
        open: openEditors(adding.files()),
        resources: resources.listed(),
        servers: resources.servers(),
        held,
      };
      tell({ type: 'mentions', mark: '@', text, rows: [...pageRow(text, held), ...mentionRows(text, mentionable)], notes: [] });
    };
    tellNow();
    await resources.refresh(tellNow);
  }

  /** Adds a mention by the key of its item. Rejects when a resource cannot be added. */
  async add(chat: MentioningChat, key: string): Promise<void> {
    const { adding, catalog, pages, resources } = this.#ports;
    if (chat.state.context.has(key)) {
      return;
    }
    if (key.startsWith('page:')) {
      await pages.add(chat, nameInKey(key), adding.banners);
      return;
    }
    const resource = resources.listed().find(({ item }) => itemKey(item) === key);
    if (resource !== undefined) {
      await addResource(chat, resource.item, this.#ports);
      return;
    }
    const path = key.startsWith('file:') ? await adding.files().diskPath(key.slice('file:'.length)) : null;
    await (path === null ? addCatalogItems(chat, [key], catalog) : addUris(chat, [vscode.Uri.file(path)], adding));
  }
}

async function addResource(chat: ContextTarget, item: ResourceBase, { resources, adding }: MentionsPorts): Promise<void> {
  const text = await textOfResource(item, resources);
  if (text !== null) {
    await chat.context.add({ ...item, includeMode: 'manual', addedHash: adding.sha256(text), given: null });
  }
}
