import { mostUrgent } from '../../window/banners.js';
import type { PanelRoom, PanelSlices } from './slice.js';
import type { LoupeError } from '../../../engine/errors.js';
import { failureHelp } from '../../../engine/failures/failures.js';
import { counted } from '../../../protocol/numbers.js';
import type { Banner, BannerAction } from '../../../protocol/panel/view.js';
import type { JournalState } from '../../../storage/log/journal.js';
import type { ChatSession } from '../../chat/chatSession.js';

interface SessionBannersInput {
  readonly session: Pick<ChatSession, 'storage' | 'failedRetries'> | null;
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
  if (session !== null && session.storage.kind !== 'saved') {
    banners.push(storageBanner(session.storage, session.failedRetries));
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
  const tried = failedRetries === 0 ? [] : [`Still failing (${counted(failedRetries, 'attempt')}).`];
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
