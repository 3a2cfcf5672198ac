import { type HandlerRoom, inChat, type RoomHandlers } from '../shell/handles.js';
import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { AllowedTools } from './allowedTools.js';
import { managerView } from './managerView.js';
import { lastRun } from '../../../engine/chat/branch.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { logFailure } from '../../../engine/errors.js';
import type { ItemProofView, ChatTexts } from '../../../protocol/panel/manager.js';
import { proofView } from '../../chat/proofs.js';
import { catalogSettingsKey } from '../../context/catalog/chatCatalogs.js';
import { countedOnce } from '../../context/itemTokens.js';
import { WORKSPACE_TEXT } from '../../../engine/chat/slices/fragments.js';
import type { SessionFile } from '../../../engine/chat/slices/sessionFiles.js';
import { READ_SESSION_FILE, sessionFileEntry } from '../../../engine/context/sessionFiles.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { includeInMap } from '../../../engine/repository/repositorySwitches.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { ManagedContext } from './managed.js';

/** Derives the state of the context pane. */
export function managerSlices(room: PanelRoom): PanelSlices<'manager' | 'allowedTools' | 'chatTexts' | 'itemProof'> {
  const proofOf = openProof(room);
  const allowed = new AllowedTools(room);
  return {
    manager: ofChat(['chat', 'next', 'open'], ({ session, next, open }) =>
      next.managed === null || open.manager === null ? null : managerView({ ...next.managed, state: session.state }, open.manager),
    ),
    // `window`: a banner appears after the user took back an approval, and disappears after Undo.
    allowedTools: ofChat(['chat', 'open', 'window'], ({ session, open }) =>
      open.manager === null ? allowed.close() : allowed.view(session),
    ),
    chatTexts: ofChat(['chat', 'next', 'open'], ({ session, next, open }) =>
      next.managed === null || open.manager === null ? null : chatTexts(session.state, next.managed),
    ),
    itemProof: ofChat(['chat', 'open'], ({ session, open }) => proofOf(open.manager?.proof ?? null, session.state)),
  };
}

/** Returns the handlers of messages of the context pane. */
export function managerHandlers(room: HandlerRoom) {
  const { context, servers, toolTexts, sessionFileActions } = room.features;
  return {
    ...inChat(room, {
      removeItems: (session, { keys }) => room.removals.remove(session, keys, 'rows'),
      omitRepeats: (session, { keys, from }) =>
        from === 'chat'
          ? room.removals.remove(session, keys, 'notice')
          : room.removals.turnOff(session, keys, (change) => context.changeInclude(session.state.config.agent, change)),
      removeServer: (session, { server }) => room.removals.removeServer(session, server),
      addCatalogItems: async (session, { keys }) => {
        const change = includeInMap(session.state.config, keys);
        await (change === null ? context.addCatalogItems(session, keys) : session.changeConfig(change));
      },
      addServer: (session, { server }) => context.addServer(session, server),
      leaveOutItems: (session, { keys }) => context.excludeItems(session, keys),
      newSessionFile: (session) => sessionFileActions.create(session),
      openSessionFile: (session, { name }) => sessionFileActions.open(session, name),
      restoreSessionFile: async (session, { name }) => {
        const versions = session.files.earlierVersions(name);
        const isDeleted = !session.state.sessionFiles.has(name);
        const version = isDeleted || versions.length === 1 ? versions[0] : await sessionFileActions.pickVersion(name, versions);
        if (version !== null) {
          await room.removals.restoreSessionFile(session, version);
        }
      },
      deleteSessionFile: (session, { name }) => room.removals.removeSessionFile(session, name),
      setFragment: (session, { id, text }) => session.fragments.set(id, text),
      removeFragment: (session, { id }) => room.removals.removeFragment(session, id),
      switchItem: (session, { key, to }) =>
        room.removals.switchItem(session, { key, to: to === 'on' ? null : to }, context.switchInSettings),
      changeInclude: async ({ state }, { key, include }) => {
        await context.changeInclude(state.config.agent, { key, include });
      },
    }),
    compareItem: ({ key, source }) => context.compareItem(key, source),
    newCatalogFile: ({ kind }) => context.newCatalogFile(kind),
    configureServers: ({ of }) => servers.configure(of),
    openServers: (place) => servers.open(place),
    showServerLog: ({ server }) => toolTexts.showLog(server),
    restartServer: ({ server }) => servers.restart(server),
    stopServer: ({ server }) => servers.stop(server),
    signInServer: ({ server }) => servers.signIn(server),
    signOutServer: ({ server }) => servers.signOut(server),
  } satisfies RoomHandlers;
}

type KnownProof = { readonly chatId: string; readonly view: ItemProofView } | null;

/**
 * Returns a function for the requests that contained the item of the open row. Returns the last result for the row, and
 * null without an open row or before the first read. Until a read has ended, the previous result stays visible.
 */
function openProof({ proofs, catalog, changed, logError }: PanelRoom) {
  /** Identifies the wanted result: the open row, and the requests of the chat so far. */
  let wanted = '';
  let known: KnownProof = null;
  const read = async (key: string, { chatId, config }: ChatState, asked: string): Promise<void> => {
    const items = await catalog.ofChat(config);
    const item = items.get(key);
    const view = item === undefined ? null : await proofView(key, item, items, await proofs.read(chatId));
    if (view !== null && asked === wanted) {
      known = { chatId, view };
      changed('open');
    }
  };
  return (key: string | null, state: ChatState): ItemProofView | null => {
    if (key === null) {
      return null;
    }
    const asked = [state.chatId, catalogSettingsKey(state.config), key, state.attempts.size, lastRun(state)?.status].join(' ');
    if (asked !== wanted) {
      wanted = asked;
      read(key, state, asked).catch(logFailure({ logError }));
    }
    return known?.chatId === state.chatId && known.view.key === key ? known.view : null;
  };
}

/** Number of bytes per token to estimate a text that is a blob, because the pane reads no files. */
const BYTES_PER_TOKEN = 4;

/** Returns the session files and the custom fragments of a chat for the context pane. */
function chatTexts(
  { sessionFiles, earlierSessionFiles, fragments }: Pick<ChatState, 'sessionFiles' | 'earlierSessionFiles' | 'fragments'>,
  { counter, composed }: Pick<ManagedContext, 'counter' | 'composed'>,
): ChatTexts {
  return {
    files: [...sessionFiles.values()].map((file) => {
      const { name, mimeType, summary, isText } = sessionFileEntry(file);
      return { name, mimeType, summary, tokens: isText ? tokensOf(file, counter) : null, hasEarlier: earlierSessionFiles.has(name) };
    }),
    deletedFiles: [...earlierSessionFiles.keys()].filter((name) => !sessionFiles.has(name)),
    fragments: [...fragments].filter(([id]) => id !== WORKSPACE_TEXT).map(([id, text]) => ({ id, text, tokens: counter.count(text) })),
    lacksTools: !composed.context.tools.some(({ name, serverName }) => serverName === WORKSPACE_SERVER && name === READ_SESSION_FILE),
  };
}

function tokensOf(file: SessionFile, counter: TokenCounter): number {
  const { content } = file;
  if ('blob' in content) {
    return Math.ceil(content.bytes / BYTES_PER_TOKEN);
  }
  return countedOnce(file, counter, () => counter.count(content.inline));
}
