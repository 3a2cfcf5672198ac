import { configChange } from '../../../engine/chat/settings/configValues.js';
import { versionMessage } from '../../../engine/chat/versions.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { STOP } from '../../../engine/run/input.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import { MOST_IMAGE_BYTES, type DrawableType, type ImageResponse } from '../../../protocol/images.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Drafts } from '../../chat/drafts.js';
import type { Handlers } from '../../window/receiver.js';
import { bannerHandlers, type BannerPorts } from './bannerActions.js';
import { itemKeys } from '../composer/chipRows.js';
import type { ContextRemovals } from '../composer/contextRemovals.js';
import type { DraftActions } from '../composer/draftActions.js';
import type { Introduction } from './introduction.js';
import type { Panel } from './panel.js';
import type { RestoreOffer } from '../composer/restoreOffer.js';
import type { ShownChat } from './shownChat.js';
import { summaryHandlers } from '../summary/summaryHandlers.js';

const BYTES_PER_MB = 1024 * 1024;

type PanelMessageType =
  | keyof ReturnType<typeof conversationHandlers>
  | keyof ReturnType<typeof branchHandlers>
  | keyof ReturnType<typeof toolHandlers>
  | keyof ReturnType<typeof summaryHandlers>
  | keyof ReturnType<typeof chatHandlers>
  | 'setApiKey'
  | 'goToHint'
  | 'bannerAction';

/** Actions that the panel requests from VS Code and other features. */
export interface PanelActions extends Omit<Handlers<ToHost>, PanelMessageType> {
  setKeyOf(providerId: string): Promise<void>;
  /** Asks for the arguments of a prompt and returns its text, or null when the user cancels. */
  fillPrompt(key: string): Promise<string | null>;
}

export interface HandlerPorts extends BannerPorts {
  readonly panelId: string;
  readonly shown: ShownChat;
  readonly panel: Panel;
  readonly draftActions: DraftActions;
  readonly offer: Pick<RestoreOffer, 'set' | 'retry' | 'answerRetry' | 'dropRetry'>;
  readonly drafts: Pick<Drafts, 'typed' | 'removeImage'>;
  readonly introduction: Pick<Introduction, 'goTo'>;
  readonly removals: ContextRemovals;
  readonly actions: PanelActions & BannerPorts['actions'];
}

export function panelHandlers(ports: HandlerPorts): Handlers<ToHost> {
  const { chats, actions } = ports;
  const onBanner = bannerHandlers(ports);
  return {
    ...actions,
    ...conversationHandlers(ports),
    ...branchHandlers(ports),
    ...toolHandlers(ports),
    ...summaryHandlers(ports),
    ...chatHandlers(ports),
    goToHint({ step }) {
      ports.introduction.goTo(step);
    },
    setApiKey: async ({ chatId }) => actions.setKeyOf((await chats.open(chatId)).state.config.model.provider),
    bannerAction: (message) => onBanner[message.action](message),
  };
}

function conversationHandlers({ chats, panel, panelId, draftActions, drafts, offer, actions }: HandlerPorts) {
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  /** Shows the end of the conversation, where a sent or queued message appears. */
  const showEnd = (session: ChatSession): void => {
    if (session === panel.session) {
      panel.showLatest();
    }
  };
  return {
    draft({ chatId, text, edit }) {
      drafts.typed(chatId, text, { panel: panelId, number: edit });
    },
    async send({ chatId, text }) {
      offer.dropRetry(chatId);
      const session = await open(chatId);
      showEnd(session);
      await draftActions.send(session, text);
    },
    async sendQueued({ chatId, messageId }) {
      const session = await open(chatId);
      showEnd(session);
      await session.conversation.sendQueued(messageId);
    },
    takeBack: async ({ chatId, messageId }) => draftActions.takeBack(await open(chatId), messageId),
    shortenMessage: async ({ chatId }) => draftActions.shorten(await open(chatId)),
    async takeOriginalBack({ chatId }) {
      draftActions.takeOriginalBack(await open(chatId));
    },
    async usePrompt({ chatId, key, at }) {
      const text = await actions.fillPrompt(key);
      if (text !== null) {
        draftActions.insert(await open(chatId), text, at);
      }
    },
    stop: async ({ chatId }) => (await open(chatId)).conversation.stop(),
    retry: async ({ chatId, messageId }) => offer.retry(await open(chatId), messageId),
    answerRetry: async ({ chatId, goesOn }) => offer.answerRetry(await open(chatId), goesOn),
    continue: async ({ chatId }) => (await open(chatId)).conversation.continueRun(),
    goOnOnce: async ({ chatId }) => (await open(chatId)).conversation.goOnOnce(),
    async answerSpend({ chatId, questionId, isAllowed }) {
      (await open(chatId)).spending.answer(questionId, isAllowed);
    },
    async sendWithoutServers({ chatId }) {
      (await open(chatId)).servers.sendWithout();
    },
    beginEdit: async ({ chatId, messageId }) => draftActions.beginEdit(await open(chatId), messageId),
    async cancelEdit({ chatId }) {
      draftActions.cancelEdit(await open(chatId));
    },
    removeImage({ chatId, blob }) {
      drafts.removeImage(chatId, blob);
    },
  } satisfies Partial<Handlers<ToHost>>;
}

/** Handlers for branches and the visible part of a chat. */
function branchHandlers({ chats, shown, panel, logError }: HandlerPorts) {
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  return {
    async bringBack({ chatId, rewindId }) {
      const session = await open(chatId);
      await session.conversation.restoreBranch(rewindId);
      if (session === panel.session) {
        // Shows the end, because the restored messages are there, wherever the user clicked.
        panel.showLatest();
        panel.focusComposer();
      }
    },
    async showVersion({ chatId, rewindId }) {
      const { conversation, state } = await open(chatId);
      const messageId = versionMessage(state, rewindId);
      await conversation.restoreBranch(rewindId);
      if (messageId !== null && panel.session?.id === chatId) {
        await panel.reveal(messageId, null);
      }
    },
    fork: async ({ chatId, messageId }) => shown.fork(await open(chatId), messageId),
    async showImage({ chatId, ...image }) {
      panel.channel.tell(await shownImage(await open(chatId), image, logError));
    },
    showRows: (rows) => {
      panel.channel.showRows(rows);
    },
    showEarlier: () => panel.showEarlier(),
    showLater() {
      panel.showLater();
    },
    showLatest() {
      panel.showLatest();
    },
  } satisfies Partial<Handlers<ToHost>>;
}

/** Reads an image of a chat for its panel. Never rejects: the result says why an image is missing. */
async function shownImage(
  session: Pick<ChatSession, 'id' | 'blob'>,
  { blob, mimeType }: { readonly blob: string; readonly mimeType: DrawableType },
  logError: (error: LoupeError) => void,
): Promise<ImageResponse> {
  const image = { type: 'image', chatId: session.id, blob } as const;
  try {
    const bytes = await session.blob(blob);
    return bytes.length > MOST_IMAGE_BYTES
      ? { ...image, url: null, problem: `This image is larger than ${String(MOST_IMAGE_BYTES / BYTES_PER_MB)} MB, the limit of the panel.` }
      : { ...image, url: `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`, problem: null };
  } catch (thrown) {
    const error = toLoupeError(thrown);
    logError(error);
    return { ...image, url: null, problem: error.message };
  }
}

/** Handlers for tool calls and their files. */
function toolHandlers({ chats, offer }: HandlerPorts) {
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  return {
    answerCall: async ({ chatId, callId, scope, reason }) => (await open(chatId)).answers.approve(callId, { scope, reason }),
    answerSteps: async ({ chatId, goesOn }) => (await open(chatId)).answers.goOn(goesOn),
    takeBackApproval: async ({ chatId, binding }) => (await open(chatId)).answers.takeBack(binding),
    setRestoring({ chatId, isOn }) {
      offer.set(chatId, isOn);
    },
    async stopCall({ chatId, callId }) {
      (await open(chatId)).conversation.stopCall(callId);
    },
  } satisfies Partial<Handlers<ToHost>>;
}

function chatHandlers({ chats, shown, panel, removals, logError }: HandlerPorts) {
  return {
    ready() {
      panel.ready();
      return shown.current();
    },
    focusChanged({ isFocused }) {
      panel.focusChanged(isFocused);
    },
    resync({ reason }) {
      logError(failure('internal.viewOutOfStep', { view: 'The panel', reason }));
      panel.channel.snapshot();
    },
    newChat: () => shown.newChat(),
    openChat: ({ chatId }) => shown.show(chatId),
    async openMessage({ chatId, messageId, found }) {
      await shown.show(chatId);
      await panel.reveal(messageId, found);
    },
    generateTitle: async ({ chatId }) => (await chats.open(chatId)).titler.generate(),
    stopTitle: async ({ chatId }) => (await chats.open(chatId)).titler.stop(STOP),
    renameChat: async ({ chatId, title }) => (await chats.open(chatId)).rename(title),
    deleteChat: ({ chatId }) => shown.delete(chatId),
    async changeSetting({ chatId, name, value }) {
      const session = await chats.open(chatId);
      await session.changeConfig(configChange(session.state.config, { [name]: value }));
    },
    removeContext: async ({ chatId, key }) => removals.remove(await chats.open(chatId), itemKeys(panel.chips(chatId), key), 'chips'),
    removeItems: async ({ chatId, keys }) => removals.remove(await chats.open(chatId), keys, 'rows'),
    removeServer: async ({ chatId, server }) => removals.removeServer(await chats.open(chatId), server),
    async removeAllContext({ chatId }) {
      const session = await chats.open(chatId);
      // All items except tools, which have no chips of their own.
      const keys = [...session.state.context].flatMap(([key, { type }]) => (type === 'tool' ? [] : [key]));
      await removals.remove(session, keys, 'chips');
    },
  } satisfies Partial<Handlers<ToHost>>;
}
