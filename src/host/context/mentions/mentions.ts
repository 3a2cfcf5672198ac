import * as vscode from 'vscode';
import type { SessionContextItem } from '../../../engine/context/item.js';
import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/mentions.js';
import type { ContextTarget } from '../addPaths.js';
import { addUris, type AddFilesPorts } from '../addUris.js';
import { addCatalogItems } from '../catalog/catalogChoice.js';
import type { CatalogSource } from '../catalog/workspaceCatalog.js';
import { findFiles, openEditors } from '../workspaceListing.js';
import { mentionRows } from './mentionRows.js';
import { RecentList } from './recentList.js';

/** So long the files that were found are those of the workspace: longer than a name is typed, shorter than a new file is missed. */
const FRESH_MS = 10_000;

export interface MentionsPorts {
  readonly adding: AddFilesPorts;
  readonly catalog: CatalogSource;
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
}

type MentioningChat = ContextTarget & { readonly state: { readonly context: ReadonlyMap<string, SessionContextItem> } };

/** Finds what `@` in a message may name, and adds it. */
export class MentionFinder {
  readonly #ports: MentionsPorts;
  readonly #files: RecentList;

  constructor(ports: MentionsPorts) {
    this.#ports = ports;
    this.#files = new RecentList(() => findFiles(ports.adding.files(), null), ports.clock, FRESH_MS);
  }

  /** Tells what fits a text. Rejects when the files of the workspace cannot be listed. */
  async find({ state }: MentioningChat, text: string): Promise<void> {
    const { adding, catalog, tell } = this.#ports;
    const files = await this.#files.get();
    const held = new Set(state.context.keys());
    tell({
      type: 'mentions',
      mark: '@',
      text,
      rows: mentionRows(text, { open: openEditors(adding.files()), files, catalog: await catalog.read(), held }),
      notes: [],
    });
  }

  /** Adds what was named, by the key of its item. */
  async add(chat: MentioningChat, key: string): Promise<void> {
    const { adding, catalog } = this.#ports;
    if (chat.state.context.has(key)) {
      return;
    }
    const path = key.startsWith('file:') ? adding.files().diskPath(key.slice('file:'.length)) : null;
    await (path === null ? addCatalogItems(chat, [key], catalog) : addUris(chat, [vscode.Uri.file(path)], adding));
  }
}
