import { mostUrgent } from '../../window/banners.js';
import { sessionBanners } from './sessionBanners.js';
import type { PanelRoom, PanelSlices } from './slice.js';

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
