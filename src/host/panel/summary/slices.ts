import { compactionView, keptFacts } from '../conversation/summaryEntry.js';
import { type HandlerRoom, inChat, type MessageOf } from '../shell/handles.js';
import { type PanelSlices, ofChat } from '../shell/slice.js';
import type { SummaryDraftView, SummaryPlanView, SummaryPreviewView, SummaryPriceView } from '../../../protocol/panel/compaction.js';
import { mostCostOfSummary, summaryPrice } from '../../../engine/compaction/summaryPrice.js';
import { KEPT_HEADING } from '../../../engine/compaction/facts/survivors.js';
import type { SummaryDraft, SummaryPlan } from '../../chat/summary/compactionStatus.js';
import type { ChatSession } from '../../chat/chatSession.js';
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
    pin: marking((marks, id) => marks.pin(id)),
    unpin: marking((marks, id) => marks.unpin(id)),
    exclude: marking<MessageOf<'exclude'>>((marks, id, { call, leaves }) =>
      call === null ? marks.exclude(id, leaves) : marks.excludeCall(id, call, leaves),
    ),
    include: marking<MessageOf<'include'>>((marks, id, { call }) => (call === null ? marks.include(id) : marks.includeCall(id, call))),
  });
}

/** Returns a handler that marks the message of an entry, and plans an open summary again. */
function marking<Message extends MessageOf<'pin' | 'unpin' | 'exclude' | 'include'>>(
  mark: (marks: ChatSession['marks'], id: string, message: Message) => Promise<unknown>,
) {
  return async ({ marks, state, compactor }: ChatSession, message: Message): Promise<void> => {
    await mark(marks, messageIdOf(state, message.messageId), message);
    await compactor.preview.planAgain();
  };
}

/** Returns the price of a summary and what it saves. The price is an upper limit until the text is written. */
function priceView(
  { outline, requestTokens, rewrite, prices, isCached }: SummaryPlan,
  draft: SummaryDraft | null,
): SummaryPriceView | null {
  if (prices === null) {
    return null;
  }
  const { tokens: freed, staying, summaryTokens: mostTokens } = outline;
  const known = draft?.cost ?? null;
  const cost = known ?? mostCostOfSummary(requestTokens, { summaryTokens: mostTokens, ttl: rewrite.ttl }, prices);
  const summaryTokens = draft?.tokens ?? mostTokens;
  return {
    ...summaryPrice({ freed, staying, summaryTokens, ...rewrite, cost, isCached }, prices),
    isMost: known === null,
    isPretended: prices.isPretended === true,
  };
}

function planView(plan: SummaryPlan, draft: SummaryDraft | null): SummaryPlanView {
  const { outline, requestTokens, basis } = plan;
  return { ...outline, requestTokens, basis, price: priceView(plan, draft) };
}

function draftView({ written, text, tokens, mostTokens, replaced }: SummaryDraft): SummaryDraftView {
  return { written, text, tokens, mostTokens, kept: keptFacts(replaced, text), keptHeading: KEPT_HEADING };
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
    plan: plan === null ? null : planView(plan, draft),
    draft: draft === null ? null : draftView(draft),
    hasText: preview.hasText,
    work: compactionView(session),
  };
}
