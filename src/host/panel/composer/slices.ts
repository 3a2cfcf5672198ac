import type { DraftView } from '../../../protocol/panel/view.js';
import type { Draft } from '../../chat/drafts.js';
import { imageView } from '../conversation/entries.js';
import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { chipRows } from './chipRows.js';

/** Derives the draft and the chips of context items. */
export function composerSlices(room: PanelRoom): PanelSlices<'draft' | 'restoreOffer' | 'context' | 'contextTotal'> {
  return {
    draft: ofChat(['draft'], ({ session }) => draftView(room.drafts.get(session.id), room.id)),
    restoreOffer: ofChat(['draft'], ({ session }) => room.restoreOffer(session.id)),
    context: ofChat(['next', 'open'], ({ next, open }) => chipRows(next.chips, next.tools, open.chips).context),
    contextTotal: ofChat(['next', 'open'], ({ next, open }) => chipRows(next.chips, next.tools, open.chips).contextTotal),
  };
}

/** Returns a panel's view of a draft. `edit`: number of the last edit that has arrived from this panel. */
function draftView({ text, images, revision, edits, editing, original }: Draft, panelId: string): DraftView {
  return { text, images: images.map(imageView), revision, edit: edits.get(panelId) ?? 0, editing, isShortened: original !== null };
}
