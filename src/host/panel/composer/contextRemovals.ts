import { itemOf } from '../../../engine/context/catalogItem.js';
import { serverOfKey } from '../../../engine/context/agentProfile.js';
import type { SessionFile } from '../../../engine/chat/slices/sessionFiles.js';
import { itemKey, type ContextItemBase } from '../../../engine/record/item.js';
import { omitFromMap } from '../../../engine/repository/repositorySwitches.js';
import { mappedFolder } from '../../../engine/repository/repositoryTexts.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';
import type { SettingScope } from '../../context/catalog/includeModes.js';
import type { IncludeChange } from '../../context/catalog/changeInclude.js';
import { type Banners, DISMISS } from '../../window/banners.js';
import { putBack, switchOff, switchOn } from './chatSwitch.js';

/** The id of the banner that offers to restore removed items. */
export const CONTEXT_REMOVED = 'contextRemoved';

interface Removal {
  readonly chatId: string;
  /** The name of the deleted session file. Null for other removals. */
  readonly sessionFile: string | null;
  readonly undo: (session: ChatSession) => Promise<void>;
}

/** Changes an include mode. Returns the mode before; null without a mode of its own. */
export type ChangeInclude = (change: IncludeChange) => Promise<IncludeChange['include']>;

export interface ItemSwitch {
  /** Key of an item or of a server. */
  readonly key: string;
  readonly to: 'chat' | SettingScope | null;
}

/** Switches an item off in the settings; null switches it on. Returns a function that restores the settings. */
export type SwitchInSettings = (key: string, to: SettingScope | null) => Promise<() => Promise<void>>;

const SWITCHED = {
  chat: 'excluded from this chat',
  folder: 'excluded in this folder',
  everywhere: 'never used',
  on: 'included again',
} as const;

/** Where the user removed an item: on a chip, on a row of the context pane, on a server row, or on a notice. */
export type RemovalSource = 'chips' | 'rows' | 'server' | 'notice';

/** Removes items from a chat. A banner offers Undo for several items, a server, or a file whose row disappears. */
export class ContextRemovals {
  readonly #banners: Pick<Banners, 'show' | 'hide'>;
  readonly #catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>;
  #last: Removal | null = null;

  constructor(banners: Pick<Banners, 'show' | 'hide'>, catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>) {
    this.#banners = banners;
    this.#catalog = catalog;
  }

  async remove(session: ChatSession, keys: readonly string[], from: RemovalSource): Promise<void> {
    await this.#omitFromMap(session, keys);
    const neverAdded = await this.#unaskedTools(session, keys);
    const before = [...session.state.context.values()];
    const added = before.filter((item) => keys.includes(itemKey(item)));
    const removed = [...added, ...neverAdded];
    const { leaving, removed: gone } = session.state;
    const again = [...leaving.values(), ...gone.values()].filter((item) => keys.includes(itemKey(item)));
    await session.context.remove(...removed, ...again);
    if (removed.length > 1 || hidesItem(removed, from)) {
      const keptKeys = new Set(added.map(itemKey));
      const rest = sentText(session, removed.map(itemKey));
      this.#offerUndo(`${inWords(removed)} removed from this chat.${rest}`, {
        chatId: session.id,
        sessionFile: null,
        undo: (now) => putBack(now, { before, keys: keptKeys, neverAdded }),
      });
    }
  }

  /** Changes the settings of the repository map, so that it omits the file tree or folders. */
  async #omitFromMap(session: ChatSession, keys: readonly string[]): Promise<void> {
    const { repositoryMap, repositoryWithout } = session.state.config;
    const change = omitFromMap({ repositoryMap, repositoryWithout }, keys);
    if (change === null) {
      return;
    }
    await session.changeConfig(change);
    const folders = keys.flatMap((key) => mappedFolder(key) ?? []);
    const text =
      change.repositoryMap === 'off'
        ? 'The repository map is off in this chat.'
        : `The map of this chat omits ${change.repositoryMap === 'tree' ? 'the definitions' : `${folders.join(', ')} and subfolders`}.`;
    this.#offerUndo(text, {
      chatId: session.id,
      sessionFile: null,
      undo: (now) => now.changeConfig({ repositoryMap, repositoryWithout }),
    });
  }

  async removeSessionFile(session: ChatSession, name: string): Promise<void> {
    await session.files.deleteFile(name);
    this.#offerUndo(`${name} was deleted from this chat.`, {
      chatId: session.id,
      sessionFile: name,
      // The model or the user can have written the file since then.
      undo: async ({ state, files }) => {
        if (!state.sessionFiles.has(name)) {
          await files.restoreFile(files.earlierVersions(name)[0]);
        }
      },
    });
  }

  /** Restores a version of a session file from the context pane. Hides the banner about the file's deletion. */
  async restoreSessionFile(session: ChatSession, version: SessionFile): Promise<void> {
    await session.files.restoreFile(version);
    if (this.#last?.chatId === session.id && this.#last.sessionFile === version.path) {
      this.#last = null;
      this.#banners.hide(CONTEXT_REMOVED);
    }
  }

  async removeFragment(session: ChatSession, id: string): Promise<void> {
    const text = session.state.fragments.get(id) ?? null;
    await session.fragments.set(id, null);
    this.#offerUndo(`The instructions from ${id} were removed from this chat.`, {
      chatId: session.id,
      sessionFile: null,
      undo: async ({ state, fragments }) => {
        if (!state.fragments.has(id)) {
          await fragments.set(id, text);
        }
      },
    });
  }

  /** Takes back what the user allowed, in this chat and in all chats. */
  async takeBackApproval(session: ChatSession, binding: string): Promise<void> {
    const taken = await session.answers.takeBack(binding);
    this.#offerUndo('Approval taken back. Loupe asks again.', {
      chatId: session.id,
      sessionFile: null,
      undo: (now) => now.answers.restore(taken),
    });
  }

  #offerUndo(text: string, removal: Removal): void {
    this.#last = removal;
    const actions = [{ label: 'Undo', action: 'undoRemove', argument: removal.chatId } as const, DISMISS];
    this.#banners.show({ id: CONTEXT_REMOVED, severity: 'info', text, actions });
  }

  async removeServer(session: ChatSession, server: string): Promise<void> {
    const items = [...(await this.#catalog.ofChat(session.state.config))].filter(([, { serverName }]) => serverName === server);
    const gone = [...session.state.context].filter(([, item]) => item.type === 'tool' && item.serverName === server);
    await this.remove(
      session,
      [...items, ...gone].map(([key]) => key),
      'server',
    );
  }

  /** Turns off items for the agent of the chat, otherwise for all chats. */
  async turnOff(session: ChatSession, keys: readonly string[], change: ChangeInclude): Promise<void> {
    const before: IncludeChange[] = [];
    try {
      for (const key of keys) {
        before.push({ key, include: await change({ key, include: 'off' }) });
      }
    } finally {
      // After a failure, the user can still undo the earlier changes.
      const [first, second] = before;
      const what = second === undefined ? (first?.key.replace(/^[^:]*:/, '') ?? '') : `${before.length.toLocaleString('en-US')} items`;
      if (first !== undefined) {
        this.#offerUndo(`${what} ${second === undefined ? 'is' : 'are'} turned off.`, {
          chatId: session.id,
          sessionFile: null,
          undo: async () => {
            for (const each of before) {
              await change(each);
            }
          },
        });
      }
    }
  }

  /**
   * Switches an item, or all tools of a server, off in the chat, the folder or everywhere; null switches it on again.
   * It is then off nowhere else.
   */
  async switchItem(session: ChatSession, { key, to }: ItemSwitch, inSettings: SwitchInSettings): Promise<void> {
    const server = serverOfKey(key);
    const items = [...(await this.#catalog.ofChat(session.state.config))].flatMap(([each, item]) =>
      each === key || (server !== null && item.serverName === server) ? [item] : [],
    );
    const undoSettings = await inSettings(key, to === 'chat' ? null : to);
    const undoChat = await (to === 'chat' ? switchOff : switchOn)(session, items);
    const { agent } = session.state.config;
    const chosen = (await this.#catalog.includesOf(agent)).get(key);
    const isKept = to !== null && to !== 'chat' && chosen?.by === 'agent' && chosen.include !== 'off';
    const name = server ?? key.replace(/^[^:]*:/, '');
    const rest =
      to === null
        ? ''
        : isKept
          ? ` The agent ${agent} still includes it.`
          : sentText(
              session,
              items.map((item) => itemKey(itemOf(item))),
            );
    this.#offerUndo(`${name} is ${SWITCHED[to ?? 'on']}.${rest}`, {
      chatId: session.id,
      sessionFile: null,
      undo: async (now) => {
        await undoSettings();
        await undoChat(now);
      },
    });
  }

  /** Returns the tools among `keys` that the chat offers although they are not in its context. */
  async #unaskedTools({ state }: ChatSession, keys: readonly string[]): Promise<readonly ContextItemBase[]> {
    const { context, removed, config } = state;
    const wanted = keys.filter((key) => key.startsWith('tool:') && !context.has(key) && !removed.has(key));
    const catalog = wanted.length === 0 ? null : await this.#catalog.ofChat(config);
    return wanted.flatMap((key) => {
      const item = catalog?.get(key);
      const isIn = item?.include === 'always' || item?.include === 'onDemand';
      return isIn ? [itemOf(item)] : [];
    });
  }

  /** Undoes the last removal, if it was in this chat. */
  async undo(session: ChatSession): Promise<void> {
    if (this.#last?.chatId === session.id) {
      await this.#last.undo(session);
      this.#last = null;
    }
    this.#banners.hide(CONTEXT_REMOVED);
  }
}

/** Whether the removal hides the row or the notice with which the user could add the item again. */
function hidesItem(removed: readonly ContextItemBase[], from: RemovalSource): boolean {
  return (
    ((from === 'server' || from === 'notice') && removed.length > 0) ||
    (from === 'rows' && removed.some(({ type }) => type === 'file' || type === 'page'))
  );
}

/** Returns a sentence if requests still contain text of these removed items. */
function sentText({ context }: ChatSession, keys: readonly string[]): string {
  return context.keepsTextOf(keys) ? ' Text that was already sent stays in requests until Loupe rebuilds the prompt.' : '';
}

function inWords(removed: readonly ContextItemBase[]): string {
  const [first] = removed;
  const [kind] = ['file', 'page', 'tool'].filter((type) => removed.every((item) => item.type === type));
  const what = `${kind ?? 'item'}s`;
  return first !== undefined && removed.length === 1 ? `${first.name} was` : `${removed.length.toLocaleString('en-US')} ${what} were`;
}
