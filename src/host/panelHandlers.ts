import { toLoupeError } from '../engine/errors.js';
import { chatMarkdown } from '../engine/chat/exported.js';
import { chatTitle } from '../engine/chat/opening.js';
import type { ToHost } from '../protocol/toHost.js';
import type { App } from './app.js';
import type { ChatSession } from './chat/chatSession.js';
import { configChange } from '../engine/chat/configValues.js';

/** What the panel asks of VS Code itself. */
export interface PanelActions {
  copy(text: string): Promise<void>;
  insertAtCursor(text: string): Promise<void>;
  newFile(text: string, language: string): Promise<void>;
  openLink(href: string): Promise<void>;
  openContextItem(key: string): Promise<void>;
  pickFiles(session: ChatSession): Promise<void>;
  addUris(session: ChatSession, uris: readonly string[]): Promise<void>;
  showRequest(chatId: string, messageId: string): Promise<void>;
  /** Shows all that a tool answered to a call. */
  openResult(chatId: string, messageId: string, callId: string): Promise<void>;
  previewNextRequest(chatId: string): Promise<void>;
  /** Imports the chats that a banner offered. */
  importChats(): Promise<void>;
  /** Writes a chat to a file that is asked for. */
  exportChat(session: ChatSession): Promise<void>;
  openSettings(): Promise<void>;
  showLog(): void;
  addProvider(): Promise<void>;
  setApiKey(session: ChatSession): Promise<void>;
  selectModel(session: ChatSession): Promise<void>;
  logWebviewError(message: string): void;
}

type Handlers = {
  readonly [K in ToHost['type']]: (message: Extract<ToHost, { readonly type: K }>) => void | Promise<void>;
};

/** One handler for each message of the panel. */
export function panelHandlers(app: App, actions: PanelActions): (message: ToHost) => Promise<void> {
  const handlers: Handlers = { ...conversationHandlers(app), ...chatHandlers(app), ...editorHandlers(app, actions) };
  return async (message) => {
    // The table is typed by message; the call is not, since TypeScript does not relate key and argument here.
    await (handlers[message.type] as (message: ToHost) => void | Promise<void>)(message);
  };
}

type Part<K extends ToHost['type']> = Pick<Handlers, K>;

function conversationHandlers(
  app: App,
): Part<
  | 'draft'
  | 'send'
  | 'sendQueued'
  | 'takeBack'
  | 'stop'
  | 'retry'
  | 'continue'
  | 'beginEdit'
  | 'cancelEdit'
  | 'bringBack'
  | 'fork'
  | 'showRows'
  | 'showEarlier'
  | 'showLater'
  | 'showLatest'
> {
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
    async beginEdit({ chatId, messageId }) {
      await app.beginEdit(await open(chatId), messageId);
    },
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
    async fork({ chatId, messageId }) {
      await app.fork(await open(chatId), messageId);
    },
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
  };
}

function chatHandlers(
  app: App,
): Part<'ready' | 'resync' | 'newChat' | 'openChat' | 'renameChat' | 'deleteChat' | 'changeSetting' | 'removeContext'> {
  return {
    async ready() {
      app.panel.ready();
      await app.current();
    },
    resync() {
      app.panel.resync();
    },
    async newChat() {
      await app.newChat();
    },
    async openChat({ chatId }) {
      await app.show(chatId);
    },
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
  };
}

function editorHandlers(
  app: App,
  actions: PanelActions,
): Omit<Handlers, keyof ReturnType<typeof conversationHandlers> | keyof ReturnType<typeof chatHandlers>> {
  return {
    addFiles: async ({ chatId }) => actions.pickFiles(await app.chats.open(chatId)),
    dropFiles: async ({ chatId, uris }) => actions.addUris(await app.chats.open(chatId), uris),
    openContextItem: ({ key }) => actions.openContextItem(key),
    copy: ({ text }) => actions.copy(text),
    insertAtCursor: ({ text }) => actions.insertAtCursor(text),
    newFile: ({ text, language }) => actions.newFile(text, language),
    openLink: ({ href }) => actions.openLink(href),
    showRequest: ({ chatId, messageId }) => actions.showRequest(chatId, messageId),
    openResult: ({ chatId, messageId, callId }) => actions.openResult(chatId, messageId, callId),
    previewNextRequest: ({ chatId }) => actions.previewNextRequest(chatId),
    showLog() {
      actions.showLog();
    },
    addProvider: () => actions.addProvider(),
    setApiKey: async ({ chatId }) => actions.setApiKey(await app.chats.open(chatId)),
    selectModel: async ({ chatId }) => actions.selectModel(await app.chats.open(chatId)),
    webviewError({ message }) {
      actions.logWebviewError(message);
    },
    bannerAction: (message) => bannerAction(message, app, actions),
  };
}

async function bannerAction(
  { bannerId, action, argument }: Extract<ToHost, { readonly type: 'bannerAction' }>,
  app: App,
  actions: PanelActions,
): Promise<void> {
  switch (action) {
    case 'undoDelete':
      await app.undoDelete(argument);
      return;
    case 'importChats':
      await actions.importChats();
      return;
    case 'retryStorage':
      await retryStorage(app);
      return;
    case 'exportChat':
      await exportShown(app, actions);
      return;
    case 'copyChat':
      await copyChat(app, actions);
      return;
    case 'stopReading':
      app.panel.stopReading();
      return;
    case 'openSettings':
      await actions.openSettings();
      return;
    case 'showLog':
      actions.showLog();
      return;
    case 'dismiss':
      app.panel.banners.hide(bannerId);
      app.panel.changed();
      return;
  }
}

/** The banner that offers it is there already: a failure changes what that says. */
async function retryStorage({ panel }: App): Promise<void> {
  try {
    await panel.session?.retryStorage();
  } catch (thrown) {
    panel.triedInVain(toLoupeError(thrown));
  }
}

/** A chat that was deleted is not open any more, and still on show. */
async function exportShown({ panel }: App, actions: PanelActions): Promise<void> {
  if (panel.session !== null) {
    await actions.exportChat(panel.session);
  }
}

/** For a chat that cannot be saved: its text can be kept elsewhere. It is the chat on show now, whichever is by then. */
async function copyChat({ panel }: App, actions: PanelActions): Promise<void> {
  const { session } = panel;
  if (session === null) {
    return;
  }
  await panel.readWhole(session);
  await actions.copy(chatMarkdown(session.state));
  panel.banners.show({
    id: 'chatCopied',
    severity: 'info',
    text: `The text of "${chatTitle(session.state)}" was copied. Paste it where it is safe.`,
    actions: [{ label: 'Dismiss', action: 'dismiss', argument: '' }],
  });
  panel.changed();
}
