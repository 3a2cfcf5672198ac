import { compactionView } from '../conversation/summaryEntry.js';
import { ofChat, type PanelSlices } from '../shell/slice.js';
import { summaryPreviewView } from './summaryPreviewView.js';

/** The work on a summary, shown in its open pane, or else in the conversation. */
export const summarySlices: PanelSlices<'compaction' | 'summaryPreview'> = {
  compaction: ofChat(['chat', 'summary'], ({ session }) => (session.compactor.preview.isOpen ? null : compactionView(session))),
  summaryPreview: ofChat(['chat', 'summary'], ({ session }) => summaryPreviewView(session)),
};
