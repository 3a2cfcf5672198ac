import { type HandlerRoom, inChat, type RoomHandlers } from '../shell/handles.js';
import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { chatTexts } from './chatTexts.js';
import { managerView } from './managerView.js';
import { OpenProof } from './openProof.js';

/** Derives the state of the context pane. */
export function managerSlices(room: PanelRoom): PanelSlices<'manager' | 'chatTexts' | 'itemProof'> {
  const proofs = new OpenProof(room, room.changed.bind(null, 'open'));
  return {
    manager: ofChat(['chat', 'next', 'open'], ({ session, next, open }) =>
      next.managed === null || open.manager === null ? null : managerView({ ...next.managed, state: session.state }, open.manager),
    ),
    chatTexts: ofChat(['chat', 'next', 'open'], ({ session, next, open }) =>
      next.managed === null || open.manager === null ? null : chatTexts(session.state, next.managed),
    ),
    itemProof: ofChat(['chat', 'open'], ({ session, open }) => proofs.of(open.manager?.proof ?? null, session.state)),
  };
}

/** Returns the handlers of messages of the context pane. */
export function managerHandlers(room: HandlerRoom) {
  const { context, servers, toolTexts, sessionFileActions } = room.features;
  return {
    ...inChat(room, {
      removeItems: (session, { keys }) => room.removals.remove(session, keys, 'rows'),
      removeServer: (session, { server }) => room.removals.removeServer(session, server),
      addCatalogItems: (session, { keys }) => context.addCatalogItems(session, keys),
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
      changeInclude: ({ state }, { key, include }) => context.changeInclude(state.config.agent, { key, include }),
    }),
    compareItem: ({ key, source }) => context.compareItem(key, source),
    newCatalogFile: ({ kind }) => context.newCatalogFile(kind),
    configureServers: ({ of }) => servers.configure(of),
    openServers: (place) => servers.open(place),
    showServerLog: ({ server }) => toolTexts.showLog(server),
    restartServer: ({ server }) => servers.restart(server),
    stopServer: ({ server }) => servers.stop(server),
  } satisfies RoomHandlers;
}
