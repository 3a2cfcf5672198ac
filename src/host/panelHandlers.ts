import { toLoupeError } from '../engine/errors.js';
import { DISMISS } from './view/banners.js';
import { chatMarkdown } from '../engine/chat/exported.js';
import { chatTitle } from '../engine/chat/opening.js';
import type { ToHost } from '../protocol/toHost.js';
import type { App } from './app.js';
import type { ChatSession } from './chat/chatSession.js';
import { configChange } from '../engine/chat/configValues.js';

type Handlers = { readonly [K in ToHost['type']]: (message: Extract<ToHost, { readonly type: K }>) => unknown };

/** Messages that have their handler here. */
type HandledHere = keyof ReturnType<typeof conversationHandlers> | keyof ReturnType<typeof chatHandlers> | 'setApiKey' | 'bannerAction';

/** What the panel asks of VS Code itself: most of it with a message of its own. */
export interface PanelActions extends Omit<Handlers, HandledHere> {
  /** Asks for the key of a provider. */
  setKeyOf(providerId: string): Promise<void>;
  /** Imports the chats that a banner offered. */
  importChats(): Promise<void>;
  /** Writes a chat to a file that is asked for. */
  exportChat(session: ChatSession): Promise<void>;
  openSettings(): Promise<void>;
}

/** One handler for each message of the panel. */
export function panelHandlers(app: App, actions: PanelActions): (message: ToHost) => Promise<void> {
  const onBanner = bannerActions(app, actions);
  const handlers: Handlers = {
    ...actions,
    ...conversationHandlers(app),
    ...chatHandlers(app),
    setApiKey: async ({ chatId }) => actions.setKeyOf((await app.chats.open(chatId)).state.config.model.provider),
    bannerAction: (message) => onBanner[message.action](message),
  };
  return async (message) => {
    // The table is typed by message; the call is not, since TypeScript does not relate key and argument here.
    await (handlers[message.type] as (message: ToHost) => unknown)(message);
  };
}

function conversationHandlers(app: App) {
  const open = (chatId: string): Promise<ChatSession> => app.chats.open(chatId);
  return {
    draft({ chatId, text, edit }) {
      app.drafts.typed(chatId, text, edit);
      app.panel.draftChanged();
    },
    send: async ({ chatId, text }) => app.sendDraft(await open(chatId), text),
    sendQueued: async ({ chatId, messageId }) => (await open(chatId)).conversation.sendQueued(messageId),
    takeBack: async ({ chatId, messageId }) => app.takeBack(await open(chatId), messageId),
    stop: async ({ chatId }) => (await open(chatId)).conversation.stop(),
    retry: async ({ chatId, messageId }) => (await open(chatId)).conversation.retry(messageId),
    continue: async ({ chatId }) => (await open(chatId)).conversation.continueRun(),
    beginEdit: async ({ chatId, messageId }) => app.beginEdit(await open(chatId), messageId),
    async cancelEdit({ chatId }) {
      app.cancelEdit(await open(chatId));
    },
    async bringBack({ chatId, rewindId }) {
      const session = await open(chatId);
      await session.conversation.bringBack(rewindId);
      if (session === app.panel.session) {
        // What came back goes on to the end, however far from there it was asked for.
        app.panel.showLatest();
      }
    },
    fork: async ({ chatId, messageId }) => app.fork(await open(chatId), messageId),
    showRows: (open) => {
      app.panel.showRows(open);
    },
    showEarlier: () => app.panel.showEarlier(),
    showLater() {
      app.panel.showLater();
    },
    showLatest() {
      app.panel.showLatest();
    },
  } satisfies Partial<Handlers>;
}

function chatHandlers(app: App) {
  return {
    ready() {
      app.panel.ready();
      return app.current();
    },
    resync() {
      app.panel.resync();
    },
    newChat: () => app.newChat(),
    openChat: ({ chatId }) => app.show(chatId),
    renameChat: async ({ chatId, title }) => (await app.chats.open(chatId)).rename(title),
    deleteChat: ({ chatId }) => app.deleteChat(chatId),
    async changeSetting({ chatId, name, value }) {
      const session = await app.chats.open(chatId);
      await session.changeConfig(configChange(session.state.config, { [name]: value }));
    },
    async removeContext({ chatId, key }) {
      const session = await app.chats.open(chatId);
      const item = session.state.context.get(key);
      if (item !== undefined) {
        await session.removeContext(item);
      }
    },
  } satisfies Partial<Handlers>;
}

type BannerAction = Extract<ToHost, { readonly type: 'bannerAction' }>;

function bannerActions(app: App, actions: PanelActions): Readonly<Record<BannerAction['action'], (message: BannerAction) => unknown>> {
  const { panel } = app;
  return {
    undoDelete: ({ argument }) => app.undoDelete(argument),
    importChats: () => actions.importChats(),
    retryStorage: () => retryStorage(app),
    // A chat that was deleted is not open any more, and still on show.
    exportChat: () => (panel.session === null ? null : actions.exportChat(panel.session)),
    copyChat: () => copyChat(app, actions),
    stopReading() {
      panel.stopReading();
    },
    openSettings: () => actions.openSettings(),
    showLog: () => actions.showLog({ type: 'showLog' }),
    dismiss({ bannerId }) {
      panel.banners.hide(bannerId);
      panel.changed();
    },
  };
}

/** The banner that offers it is there already: a failure changes what that says. */
async function retryStorage({ panel }: App): Promise<void> {
  try {
    await panel.session?.retryStorage();
  } catch (thrown) {
    panel.triedInVain(toLoupeError(thrown));
  }
}

/** For a chat that cannot be saved: its text can be kept elsewhere. It is the chat on show now, whichever is by then. */
async function copyChat({ panel }: App, actions: PanelActions): Promise<void> {
  const { session } = panel;
  if (session === null) {
    return;
  }
  await panel.readWhole(session);
  await actions.copy({ type: 'copy', text: chatMarkdown(session.state) });
  panel.banners.show({
    id: 'chatCopied',
    severity: 'info',
    text: `The text of "${chatTitle(session.state)}" was copied. Paste it where it is safe.`,
    actions: [DISMISS],
  });
  panel.changed();
}
