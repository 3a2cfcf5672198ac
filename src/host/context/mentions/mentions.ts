import * as vscode from 'vscode';
import type { ChatState } from '../../../engine/chat/state.js';
import { itemKey, nameInKey, type ResourceBase } from '../../../engine/record/item.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import type { Clock } from '../../../engine/ports.js';
import type { MentionRow, Mentions } from '../../../protocol/panel/toWebview.js';
import type { ContextTarget } from '../addPaths.js';
import type { ImageTarget } from '../images/addImages.js';
import { addUris, type AddFilesPorts } from '../addUris.js';
import { addCatalogItems } from '../catalog/catalogChoice.js';
import type { CatalogSource } from '../catalog/workspaceCatalog.js';
import type { PageFetches, PageTarget } from '../pages/pageFetches.js';
import { catalogTokens, FileTokens, type KnownTokens } from '../itemTokens.js';
import { promptFiles } from '../promptFiles.js';
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
  readonly #tokens: FileTokens;
  /** Number of the newest search. Loupe reads no more files for an earlier search. */
  #search = 0;

  constructor(ports: MentionsPorts) {
    this.#ports = ports;
    this.#files = new TimedList(() => findFiles(ports.adding.files(), null), ports.clock, FRESH_MS);
    this.#tokens = new FileTokens(promptFiles(ports.adding.files), ports.clock);
  }

  /**
   * Sends matching rows to the panel, and again after each list of resources and when their sizes are known. `sizes`:
   * null while unknown. Rejects if listing the files fails.
   */
  async find({ state }: MentioningChat, text: string, sizes: KnownTokens | null): Promise<void> {
    const { adding, catalog, resources, tell } = this.#ports;
    this.#search += 1;
    const search = this.#search;
    const known = { files: await this.#files.get(), catalog: await catalog.ofChat(state.config) };
    let tellings = 0;
    const tellNow = async (): Promise<void> => {
      tellings += 1;
      const telling = tellings;
      const held = new Set(state.context.keys());
      const mentionable = {
        ...known,
        open: openEditors(adding.files()),
        resources: resources.listed(),
        servers: resources.servers(),
        held,
      };
      const tellRows = (rows: readonly MentionRow[]): void => {
        tell({ type: 'mentions', mark: '@', text, rows, notes: [] });
      };
      const found = [...pageRow(text, held), ...mentionRows(text, mentionable)];
      const rows = sizes === null ? found : found.map((row) => ({ ...row, tokens: tokensInMemory(row, known.catalog, sizes) }));
      tellRows(rows);
      if (sizes !== null && rows.some(isUncounted)) {
        const counted = await this.#withFileTokens(rows, sizes, () => search === this.#search && telling === tellings);
        if (counted !== null) {
          tellRows(counted);
        }
      }
    };
    const told = [tellNow()];
    await resources.refresh(() => {
      told.push(tellNow());
    });
    await Promise.all(told);
  }

  /** Reads the files of rows one after another. Returns null as soon as the search is over. */
  async #withFileTokens(rows: readonly MentionRow[], { counter }: KnownTokens, isSearched: () => boolean): Promise<MentionRow[] | null> {
    const counted: MentionRow[] = [];
    for (const row of rows) {
      const tokens = isUncounted(row) ? await this.#tokens.of(nameInKey(row.key), counter) : row.tokens;
      if (!isSearched()) {
        return null;
      }
      counted.push({ ...row, tokens });
    }
    return counted;
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

/** Returns the tokens of a row without reading a file: in the next request, or of a text that the catalog holds. */
function tokensInMemory({ key, kind }: MentionRow, catalog: Catalog, { counter, ofItems }: KnownTokens): number | null {
  const item = catalog.get(key);
  // The text of a tool is only a part of its definition.
  return ofItems.get(key) ?? (item === undefined || kind === 'tool' ? null : catalogTokens(key, item, counter));
}

function isUncounted({ kind, tokens }: MentionRow): boolean {
  return kind === 'file' && tokens === null;
}

async function addResource(chat: ContextTarget, item: ResourceBase, { resources, adding }: MentionsPorts): Promise<void> {
  const text = await textOfResource(item, resources);
  if (text !== null) {
    await chat.context.add({ ...item, includeMode: 'manual', addedHash: adding.sha256(text), given: null });
  }
}
