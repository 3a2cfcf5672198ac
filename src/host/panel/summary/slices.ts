import { compactionView } from '../conversation/summaryEntry.js';
import { type HandlerRoom, inChat } from '../shell/handles.js';
import { type PanelSlices, ofChat } from '../shell/slice.js';
import type { SummaryPreviewView, SummaryPriceView } from '../../../protocol/panel/compaction.js';
import { mostCostOfSummary, summaryPrice } from '../../../engine/compaction/summaryPrice.js';
import { KEPT_HEADING } from '../../../engine/compaction/facts/survivors.js';
import type { SummaryDraft, SummaryPlan } from '../../chat/summary/compactionStatus.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { keptFacts } from '../conversation/keptFacts.js';
import { messageIdOf } from '../../../engine/chat/shownMessages.js';

/** Derives the progress and text of a summary, for the summary pane if it is open, or else for the conversation. */
export const summarySlices: PanelSlices<'compaction' | 'summaryPreview'> = {
  compaction: ofChat(['chat', 'summary'], ({ session }) => (session.compactor.preview.isOpen ? null : compactionView(session))),
  summaryPreview: ofChat(['chat', 'summary'], ({ session }) => summaryPreviewView(session)),
};

/** Returns the handlers of messages about summaries, pins and exclusions. */
export function summaryHandlers(room: HandlerRoom) {
  return inChat(room, {
    summarize: ({ compactor, state }, { upTo }) => compactor.summarizeOnShow(upTo === null ? null : messageIdOf(state, upTo)),
    planSummary: ({ compactor, state }, { upTo }) => compactor.preview.plan(upTo === null ? null : messageIdOf(state, upTo)),
    writeSummary: ({ compactor }) => compactor.preview.write(),
    openSummaryRows({ compactor }, { part, isOpen }) {
      compactor.preview.openRows(part, isOpen);
    },
    showSummaryText: ({ compactor }) => compactor.preview.showText(),
    editSummary: ({ compactor }, { summaryId }) => compactor.preview.edit(summaryId),
    summaryTyped: ({ compactor }, { text }) => compactor.preview.typed(text),
    applySummary: ({ compactor }, { text }) => compactor.preview.apply(text),
    cancelSummary: ({ compactor }) => compactor.cancelOnShow(),
    dismissSummary: ({ compactor }) => compactor.dismiss(),
    undoSummary: ({ compactor }) => compactor.undo(),
    bringBackFact: ({ compactor }, { summaryId, fact }) => compactor.restoreFact(summaryId, fact),
    async pin({ marks, state, compactor }, { messageId }) {
      await marks.pin(messageIdOf(state, messageId));
      await compactor.preview.planAgain();
    },
    async unpin({ marks, state, compactor }, { messageId }) {
      await marks.unpin(messageIdOf(state, messageId));
      await compactor.preview.planAgain();
    },
    async exclude({ marks, state, compactor }, { messageId, call, leaves }) {
      const marked = messageIdOf(state, messageId);
      await (call === null ? marks.exclude(marked, leaves) : marks.excludeCall(marked, call, leaves));
      await compactor.preview.planAgain();
    },
    async include({ marks, state, compactor }, { messageId, call }) {
      const marked = messageIdOf(state, messageId);
      await (call === null ? marks.include(marked) : marks.includeCall(marked, call));
      await compactor.preview.planAgain();
    },
  });
}

/** Returns the price of a summary and what it saves. The price is an upper limit until the text is written. */
function priceView({ outline, requestTokens, prices, isCached }: SummaryPlan, draft: SummaryDraft | null): SummaryPriceView | null {
  if (prices === null) {
    return null;
  }
  const { tokens: freed, staying, summaryTokens: mostTokens } = outline;
  const known = draft?.cost ?? null;
  const cost = known ?? mostCostOfSummary(requestTokens, mostTokens, prices);
  const summaryTokens = draft?.tokens ?? mostTokens;
  return {
    ...summaryPrice({ freed, staying, summaryTokens, cost, isCached }, prices),
    isMost: known === null,
    isPretended: prices.isPretended === true,
  };
}

/** Returns the data of the open summary pane, or null. */
export function summaryPreviewView(session: ChatSession): SummaryPreviewView | null {
  const { preview, status } = session.compactor;
  if (!preview.isOpen) {
    return null;
  }
  const draft = status?.kind === 'drafted' ? status.draft : null;
  const { shownPlan: plan } = preview;
  return {
    plan: plan === null ? null : { ...plan.outline, requestTokens: plan.requestTokens, price: priceView(plan, draft) },
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
