import { compactionView } from '../conversation/summaryEntry.js';
import { ofChat, type PanelSlices } from '../shell/slice.js';
import { summaryPreviewView } from './summaryPreviewView.js';

/** Derives the progress and text of a summary, for the summary pane if it is open, or else for the conversation. */
export const summarySlices: PanelSlices<'compaction' | 'summaryPreview'> = {
  compaction: ofChat(['chat', 'summary'], ({ session }) => (session.compactor.preview.isOpen ? null : compactionView(session))),
  summaryPreview: ofChat(['chat', 'summary'], ({ session }) => summaryPreviewView(session)),
};
