import type { LoupeError } from '../../../engine/errors.js';
import { parseToHost } from '../../../protocol/panel/toHost.js';
import type { CurrentChatFile } from '../../../storage/currentChat.js';
import type { Chats } from '../../chat/chats.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Drafts } from '../../chat/drafts.js';
import { ShownLimits, type ShownLimitsPorts } from '../../chat/spend/shownLimits.js';
import type { FileRestores } from '../../chat/files/fileRestores.js';
import { Banners } from '../../window/banners.js';
import { receiver } from '../../window/receiver.js';
import { ContextRemovals } from '../composer/contextRemovals.js';
import { DraftActions } from '../composer/draftActions.js';
import { EditPreviews, type EditPreviewsPorts } from '../composer/editPreviews.js';
import type { PanelFeatures } from './panelFeatures.js';
import type { Introduction } from './introduction.js';
import { Panel } from './panel.js';
import type { PanelCallbacks, PanelPorts } from './slice.js';
import { RestoreOffer } from '../composer/restoreOffer.js';
import { ShownChat } from './shownChat.js';
import { panelHandlers, panelSlices } from './table.js';

/** The place of a chat panel: the view in the side bar, or an editor tab. */
export interface PanelPlace {
  /** Unique among panels. */
  readonly id: string;
  /** Stores the chat to show first. The view's value is kept when VS Code closes. */
  readonly lastShown: Pick<CurrentChatFile, 'read' | 'write'>;
  reveal(): Promise<void>;
  /** Called when the panel shows another chat, or its chat has changed. */
  shows(session: ChatSession): void;
  /** Closes the panel when its chat was deleted elsewhere. Null for the view, which shows another chat instead. */
  readonly close: (() => void) | null;
}

export interface PlaceCallbacks extends PanelCallbacks {
  /** Whether another panel shows this chat. */
  readonly isElsewhere: (chatId: string) => boolean;
  /** Called when the user has deleted a chat in this panel. */
  deleted(chatId: string): Promise<void>;
}

export interface ChatPanelPorts extends Omit<PanelPorts, 'id' | 'banners' | 'restoreOffer' | 'limits' | 'edits' | 'told'> {
  readonly restores: Pick<FileRestores, 'restorable' | 'restorer'>;
  readonly previewEdits: Pick<EditPreviewsPorts, 'preview' | 'watch'>;
  readonly chats: Chats;
  readonly drafts: Drafts;
  readonly settings: ShownLimitsPorts['settings'];
  readonly introduction: Introduction;
  readonly features: (panel: Pick<ChatPanel, 'panel' | 'banners'>) => PanelFeatures;
  /** Shows a notification that closes automatically. */
  readonly notify: (text: string) => void;
  readonly logError: (error: LoupeError) => void;
}

export interface ChatPanel {
  readonly panel: Panel;
  readonly shown: ShownChat;
  readonly draftActions: DraftActions;
  readonly offer: RestoreOffer;
  readonly banners: Banners;
  /** Handles a message from the webview. Never rejects. */
  receive(message: unknown): Promise<void>;
  reveal(): Promise<void>;
  dispose(): void;
}

export function createChatPanel(place: PanelPlace, told: PlaceCallbacks, ports: ChatPanelPorts): ChatPanel {
  const { drafts, logError } = ports;
  const banners = new Banners(ports);
  const offer = new RestoreOffer({
    drafts,
    restores: ports.restores,
    changed: () => {
      panel.channel.changed('draft');
    },
    fail: (error) => {
      banners.fail(error, null);
    },
  });
  const limits = new ShownLimits({
    ...ports,
    changed: () => {
      panel.channel.changed('window');
    },
  });
  const edits = new EditPreviews({
    ...ports.previewEdits,
    changed: () => {
      panel.channel.changed('chat');
    },
    logError,
  });
  const panel = new Panel(
    { ...ports, id: place.id, banners, restoreOffer: offer.view.bind(offer), limits: () => limits.view, edits, told },
    panelSlices,
  );
  const shown = new ShownChat({ ...ports, ...place, ...told, panel, banners });
  const draftActions = new DraftActions(drafts, panel.focusComposer.bind(panel), offer.restorer.bind(offer));
  const removals = new ContextRemovals(banners, ports.catalog);
  const features = ports.features({ panel, banners });
  const handlers = panelHandlers({ ...ports, panelId: place.id, panel, shown, banners, draftActions, offer, limits, removals, features });
  return {
    panel,
    shown,
    draftActions,
    offer,
    banners,
    receive: receiver(parseToHost, handlers, {
      fail: banners.fail.bind(banners),
      began: banners.began.bind(banners),
      succeeded: banners.succeeded.bind(banners),
      logError,
    }),
    reveal: place.reveal.bind(place),
    dispose: () => {
      offer.dispose();
      edits.dispose();
      shown.dispose();
      panel.dispose();
    },
  };
}
