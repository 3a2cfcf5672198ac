import { DISMISS, mostUrgent, CHAT_COPIED } from '../../window/banners.js';
import { chatInOffer } from '../../models/modelOffer.js';
import { chatText } from '../../chat/chatText.js';
import { viewHandlers } from '../../window/receiver.js';
import type { HandlerRoom, RoomHandlers, MessageOf } from './handles.js';
import type { PanelRoom, PanelSlices } from './slice.js';
import { failureOrCancel, logFailure, type LoupeError } from '../../../engine/errors.js';
import { failureHelp } from '../../../engine/failures/failures.js';
import { counted } from '../../../protocol/numbers.js';
import type { Banner, BannerAction } from '../../../protocol/panel/view.js';
import type { JournalState } from '../../../storage/log/journal.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Saving } from '../../chat/saving.js';

interface SessionBannersInput {
  readonly session: { readonly saving: Pick<Saving, 'state' | 'failedRetries'> } | null;
  /** Why the draft could not be saved; null when it is saved or empty. */
  readonly draftError: LoupeError | null;
  /** Why the next request cannot be composed; null when it can. */
  readonly previewError: LoupeError | null;
}

const TRY_AGAIN: BannerAction = { label: 'Try again', action: 'retryStorage', argument: '' };
const EXPORT: BannerAction = { label: 'Export...', action: 'exportChat', argument: '' };
const COPY: BannerAction = { label: 'Copy chat', action: 'copyChat', argument: '' };

/** Returns banners that follow from the chat's state, and disappear with their cause. */
export function sessionBanners({ session, draftError, previewError }: SessionBannersInput): Banner[] {
  const banners: Banner[] = [];
  if (session !== null && session.saving.state.kind !== 'saved') {
    banners.push(storageBanner(session.saving.state, session.saving.failedRetries));
  } else if (draftError !== null) {
    banners.push({
      id: 'draft',
      severity: 'warning',
      text: `${draftError.message} Your text is not saved and is lost when this window closes.`,
      actions: [],
    });
  }
  if (previewError !== null) {
    banners.push({ id: 'preview', severity: 'warning', text: previewError.message, actions: [] });
  }
  return banners;
}

function storageBanner({ kind, error }: Exclude<JournalState, { kind: 'saved' }>, failedRetries: number): Banner {
  const isFailing = kind === 'failing';
  const tried = failedRetries === 0 ? [] : [`Saving still fails (${counted(failedRetries, 'attempt')}).`];
  const help = isFailing ? [...tried, ...failureHelp(error.code)] : [];
  const text = [error.message, ...help, 'Your text is not saved and is lost when this window closes.'].join(' ');
  return { id: 'storage', severity: 'error', text, actions: isFailing ? [TRY_AGAIN, EXPORT, COPY] : [EXPORT, COPY] };
}

/** Derives banners, and the state that is the same for all chats of a VS Code window. */
export function windowSlices(
  room: PanelRoom,
): PanelSlices<'hasFolder' | 'fontSize' | 'openFile' | 'introduction' | 'serverQuestion' | 'banners'> {
  const { banners, drafts, introduction, openFile, shownServers } = room;
  return {
    hasFolder: { from: ['window'], derive: () => openFile.hasFolder() },
    fontSize: { from: ['window'], derive: () => room.fontSize() },
    openFile: { from: ['window'], derive: () => openFile.current() },
    introduction: { from: ['window'], derive: () => introduction.current() },
    serverQuestion: { from: ['window'], derive: () => shownServers.startQuestion() },
    banners: {
      from: ['chat', 'next', 'draft', 'window'],
      derive: (now) => {
        const session = now?.session ?? null;
        const draftError = session === null ? null : drafts.failure(session.id);
        return mostUrgent([
          ...sessionBanners({ session, draftError, previewError: now?.next.error ?? null }),
          ...room.reading(),
          ...banners.list(),
        ]);
      },
    },
  };
}

/** Returns the handlers of messages about the panel itself and its banners. */
export function windowHandlers(room: HandlerRoom) {
  const { shown, panel, introduction, features, logError } = room;
  const onBanner = bannerHandlers(room);
  return {
    ...viewHandlers('The panel', panel.channel, { logError, showLog: features.showLog }),
    ready() {
      panel.ready();
      return shown.current();
    },
    focusChanged({ isFocused }) {
      panel.focusChanged(isFocused);
    },
    showRows: (rows) => {
      panel.channel.showRows(rows);
    },
    goToHint({ step }) {
      introduction.goTo(step);
    },
    manageTrust: () => features.editors.manageTrust(),
    bannerAction: (message) => onBanner[message.action](message),
  } satisfies RoomHandlers;
}

type BannerActionMessage = MessageOf<'bannerAction'>;

function bannerHandlers(room: HandlerRoom): Readonly<Record<BannerActionMessage['action'], (message: BannerActionMessage) => unknown>> {
  const { chats, shown, panel, banners, removals, features } = room;
  const { editors, exportChat, otherChats, questions, showLog } = features;
  /** Calls `act` with the visible chat. A deleted chat is no longer open, but may still be visible. */
  const onShown = (act: (session: ChatSession) => unknown) => () => (shown.session === null ? null : act(shown.session));
  return {
    openChat({ bannerId, argument }) {
      banners.hide(bannerId);
      return shown.show(argument);
    },
    undoDelete: ({ argument }) => shown.undoDelete(argument),
    undoRemove: async ({ argument }) => removals.undo(await chats.open(argument)),
    importChats: () => otherChats.importOffered(),
    // A failure is only logged, because the visible banner shows it, too.
    retryStorage: onShown((session) => session.saving.retry().catch(logFailure(room))),
    exportChat: onShown(exportChat),
    copyChat: onShown((session) => copyChat(session, room)),
    stopReading() {
      panel.stopReading();
    },
    openSettings: () => editors.showSettings(),
    openSpendSettings: () => editors.showSpendSettings(),
    selectModel: onShown((session) => questions.model(session, undefined)),
    async useModel({ bannerId, argument }) {
      const { chatId, name } = chatInOffer(argument);
      await questions.model(await chats.open(chatId), name);
      banners.hide(bannerId);
    },
    async useAgent({ bannerId, argument }) {
      const { chatId, name } = chatInOffer(argument);
      banners.hide(bannerId);
      await questions.agent(await chats.open(chatId), name);
    },
    showLog() {
      showLog();
    },
    showServerLog: ({ argument }) => features.toolTexts.showLog(argument),
    async restartServer({ bannerId, argument }) {
      banners.hide(bannerId);
      await features.servers.restart(argument);
    },
    async signInServer({ bannerId, argument }) {
      banners.hide(bannerId);
      await features.servers.signIn(argument);
    },
    cancelPage({ argument }) {
      features.context.cancelPage(argument);
    },
    retryPage: () => features.context.retryPage((chatId) => chats.open(chatId)),
    dismiss({ bannerId }) {
      banners.hide(bannerId);
    },
  };
}

/** Copies the text of a chat when it cannot be saved, so that the user can keep it elsewhere. */
async function copyChat(session: ChatSession, { banners, features, logError }: HandlerRoom): Promise<void> {
  await readWhole(session, logError);
  await features.editors.copy(chatText(session.state));
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
    logError(failureOrCancel(thrown));
  }
}
