import type { SummaryPreviewView } from '../../protocol/compaction.js';
import { KEPT_HEADING } from '../../engine/compaction/survivors.js';
import type { ChatSession } from '../chat/chatSession.js';
import { keptFacts } from './keptFacts.js';
import { compactionView } from './summaryEntry.js';

/** What the pane of the summary that the user looks at shows; null when there is none. */
export function summaryPreviewView(session: ChatSession): SummaryPreviewView | null {
  const { preview, status } = session.compactor;
  if (!preview.isOpen) {
    return null;
  }
  const draft = status?.kind === 'drafted' ? status.draft : null;
  const { shownPlan: plan } = preview;
  return {
    plan: plan === null ? null : { ...plan.outline, requestTokens: plan.requestTokens, price: plan.price },
    draft:
      draft === null
        ? null
        : {
            written: draft.written,
            text: draft.text,
            tokens: draft.tokens,
            mostTokens: draft.mostTokens,
            kept: keptFacts(draft.replaced, draft.text),
            keptHeading: KEPT_HEADING,
          },
    hasText: preview.hasText,
    work: compactionView(session),
  };
}
