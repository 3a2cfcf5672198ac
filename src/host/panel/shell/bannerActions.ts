import { chatText } from '../../chat/chatText.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Chats } from '../../chat/chats.js';
import { type Banners, DISMISS } from '../../window/banners.js';
import type { ContextRemovals } from '../composer/contextRemovals.js';
import { CHAT_COPIED, type Panel } from './panel.js';
import type { ShownChat } from './shownChat.js';

type BannerActionMessage = Extract<ToHost, { readonly type: 'bannerAction' }>;

export interface BannerPorts {
  readonly chats: Pick<Chats, 'open'>;
  readonly shown: Pick<ShownChat, 'session' | 'undoDelete'>;
  readonly panel: Pick<Panel, 'stopReading'>;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  readonly removals: Pick<ContextRemovals, 'undo'>;
  readonly actions: {
    /** Imports the chats that a banner offered. */
    importChats(): Promise<void>;
    /** Writes a chat to a file that the user chooses. */
    exportChat(session: ChatSession): Promise<void>;
    copy(message: { readonly type: 'copy'; readonly text: string }): unknown;
    openSettings(): Promise<void>;
    openSpendSettings(): unknown;
    selectModel(message: { readonly type: 'selectModel'; readonly chatId: string }): unknown;
    showLog(): unknown;
  };
  readonly logError: (error: LoupeError) => void;
}

export function bannerHandlers(
  ports: BannerPorts,
): Readonly<Record<BannerActionMessage['action'], (message: BannerActionMessage) => unknown>> {
  const { chats, shown, panel, banners, removals, actions } = ports;
  return {
    undoDelete: ({ argument }) => shown.undoDelete(argument),
    undoRemove: async ({ argument }) => removals.undo(await chats.open(argument)),
    importChats: () => actions.importChats(),
    retryStorage: () => retryStorage(ports),
    // A deleted chat is no longer open, but may still be visible.
    exportChat: () => (shown.session === null ? null : actions.exportChat(shown.session)),
    copyChat: () => copyChat(ports),
    stopReading() {
      panel.stopReading();
    },
    openSettings: () => actions.openSettings(),
    openSpendSettings: () => actions.openSpendSettings(),
    selectModel: () => (shown.session === null ? null : actions.selectModel({ type: 'selectModel', chatId: shown.session.id })),
    showLog: () => actions.showLog(),
    dismiss({ bannerId }) {
      banners.hide(bannerId);
    },
  };
}

/** Saves the chat again. A failure is only logged, because the visible banner shows it, too. */
async function retryStorage({ shown, logError }: BannerPorts): Promise<void> {
  try {
    await shown.session?.retryStorage();
  } catch (thrown) {
    logError(toLoupeError(thrown));
  }
}

/** Copies the text of the visible chat when it cannot be saved, so that the user can keep it elsewhere. */
async function copyChat({ shown, banners, actions, logError }: BannerPorts): Promise<void> {
  const { session } = shown;
  if (session === null) {
    return;
  }
  await readWhole(session, logError);
  await actions.copy({ type: 'copy', text: chatText(session.state) });
  banners.show({
    id: CHAT_COPIED,
    severity: 'info',
    text: 'Loupe copied the chat to the clipboard. Paste the chat into a file to keep it.',
    actions: [DISMISS],
  });
}

/** Reads the whole chat. Rejects with `cancelled`. Only logs other failures; the copy then lacks the unread part. */
async function readWhole(session: ChatSession, logError: (error: LoupeError) => void): Promise<void> {
  try {
    await session.whole();
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.kind === 'cancelled') {
      throw error;
    }
    logError(error);
  }
}
