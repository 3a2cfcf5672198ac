import { chatTitle } from '../../engine/chat/opening.js';
import { type ModelRef, modelKey } from '../../engine/chat/config.js';
import type { Model } from '../../engine/run/model.js';
import type { Banner, ChatListItem, ChatView, DraftView, ModelOption, PanelState } from '../../protocol/view.js';
import type { Calibration } from '../../engine/tokens/calibration.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Learned } from '../chat/learned.js';
import { priceText, windowText } from '../providers/setup/modelTexts.js';
import { damageView } from './damage.js';
import type { ShownEntries } from './entries.js';
import type { OutputCounts } from './outputCounts.js';
import type { OpenRows } from './openRows.js';
import type { Preview } from './previews.js';
import { settingRows } from './settingRows.js';

/** Everything a panel's state is made from. */
export interface PanelInput {
  readonly chats: readonly ChatListItem[] | null;
  readonly session: ChatSession | null;
  /** What is shown of the conversation; null without a chat. */
  readonly shown: ShownEntries | null;
  readonly draft: DraftView;
  readonly next: Preview;
  readonly rows: Pick<OpenRows, 'ofContext' | 'ofRequest' | 'ofEntries'>;
  readonly models: readonly Model[];
  readonly learned: Pick<Learned, 'calibration' | 'withLimit'>;
  readonly outputs: Pick<OutputCounts, 'derive'>;
  readonly banners: readonly Banner[];
}

export function panelState(input: PanelInput): PanelState {
  const { chats, session, draft, next, banners } = input;
  const shown = input.shown ?? { entries: [], earlier: 0, later: 0 };
  return {
    chats,
    chat: session === null ? null : chatView(session, shown),
    entries: shown.entries,
    outputs: session === null ? [] : input.outputs.derive(shown.entries, session.state),
    draft,
    ...input.rows.ofContext(next),
    nextRequest: next.request,
    nextRequestRows: input.rows.ofRequest(next),
    contextRows: session === null ? {} : input.rows.ofEntries(shown.entries, session.state),
    models: input.models.map((model) => modelOption(model, input.learned)),
    banners,
  };
}

/** Null without a chat. */
export function draftView(draft: DraftView | null): DraftView {
  const { text, revision, edit, editing } = draft ?? { text: '', revision: 0, edit: 0, editing: null };
  return { text, revision, edit, editing };
}

function chatView(
  { state, conversation, readOnly, faults }: ChatSession,
  { earlier, later }: Pick<ShownEntries, 'earlier' | 'later'>,
): ChatView {
  return {
    id: state.chatId,
    title: chatTitle(state),
    running: conversation.isRunning,
    readOnly,
    damage: damageView(faults, state.problems),
    earlierMessages: earlier,
    laterMessages: later,
    settings: settingRows(state.config),
  };
}

function modelOption(configured: Model, learned: PanelInput['learned']): ModelOption {
  const { ref, label, maxInputTokens, prices, capabilities } = learned.withLimit(configured);
  const isLearned = maxInputTokens !== configured.maxInputTokens;
  const window = `${windowText(maxInputTokens)}${isLearned ? ', as its server said' : ''}`;
  const accuracy = capabilities.counterIsExact ? [] : [accuracyText(learned.calibration(ref))];
  return { key: modelKey(ref), label, detail: [window, priceText(prices), ...accuracy].join(' · ') };
}

/** How far the token counts of a model are off, as measured; exact counters need no such words. */
function accuracyText({ error, samples }: Calibration): string {
  return error === null
    ? 'token counts not measured yet'
    : `token counts off by ${(error * 100).toFixed(1)} %, measured over ${String(samples)} requests`;
}

/** The label of a model in the list, or its key when it is not there any more. */
export function modelLabel(ref: ModelRef, models: readonly Model[]): string {
  return models.find((model) => modelKey(model.ref) === modelKey(ref))?.label ?? modelKey(ref);
}
