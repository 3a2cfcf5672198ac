import { chatTitle } from '../../engine/chat/opening.js';
import { type ModelRef, modelKey } from '../../engine/chat/config.js';
import type { Model } from '../../engine/run/model.js';
import type {
  Banner,
  ChatListItem,
  ChatSpending,
  ChatView,
  DraftView,
  ModelName,
  ModelOption,
  OpenFile,
  PanelState,
} from '../../protocol/view.js';
import { PRACTICE_STANDARD } from '../../providers/practice/models.js';
import type { Calibration } from '../../engine/tokens/calibration.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Learned } from '../request/learned.js';
import { priceText, windowText } from '../models/modelTexts.js';
import { chipRows } from './chipRows.js';
import { damageView } from './damage.js';
import type { ShownEntries } from './entries.js';
import type { OutputCounts } from './outputCounts.js';
import type { EntryRows, OpenSections } from './openRows.js';
import type { Preview } from './previews.js';
import { settingRows } from './settingRows.js';
import type { SpentInChat } from './spentInChat.js';

/** The values that a panel's state is derived from. */
export interface PanelInput {
  readonly chats: readonly ChatListItem[] | null;
  readonly session: ChatSession | null;
  /** The part of the conversation on show; null without a chat. */
  readonly shown: ShownEntries | null;
  readonly draft: DraftView;
  readonly next: Preview;
  readonly open: OpenSections;
  readonly rows: Pick<EntryRows, 'derive'>;
  readonly models: readonly Model[];
  readonly learned: Pick<Learned, 'calibration' | 'withLimit'>;
  readonly outputs: Pick<OutputCounts, 'derive'>;
  readonly spent: Pick<SpentInChat, 'derive'>;
  readonly openFile: OpenFile | null;
  readonly introduction: PanelState['introduction'];
  readonly banners: readonly Banner[];
}

export function panelState(input: PanelInput): PanelState {
  const { chats, session, draft, next, open, banners } = input;
  const shown = input.shown ?? { entries: [], earlier: 0, later: 0 };
  return {
    chats,
    chat: session === null ? null : chatView(session, shown, input.spent.derive(session.state)),
    entries: shown.entries,
    outputs: session === null ? [] : input.outputs.derive(shown.entries, session.state),
    draft,
    ...chipRows(next.chips, open.chips),
    nextRequest: next.request,
    nextRequestRows: open.nextRequest ? next.rows : null,
    contextRows: session === null ? {} : input.rows.derive(shown.entries, session.state, open),
    models: input.models.map((model) => modelOption(model, input.learned)),
    openFile: input.openFile,
    introduction: input.introduction,
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
  spent: ChatSpending | null,
): ChatView {
  return {
    id: state.chatId,
    title: chatTitle(state),
    running: conversation.isRunning,
    isPractice: state.config.model.provider === PRACTICE_STANDARD.ref.provider,
    readOnly,
    damage: damageView(faults, state.problems),
    earlierMessages: earlier,
    laterMessages: later,
    settings: settingRows(state.config),
    spent,
  };
}

function modelOption(configured: Model, learned: PanelInput['learned']): ModelOption {
  const { ref, label, maxInputTokens, prices, capabilities } = learned.withLimit(configured);
  const isLearned = maxInputTokens !== configured.maxInputTokens;
  const window = `${windowText(maxInputTokens)}${isLearned ? ' (reported by the server)' : ''}`;
  const accuracy = capabilities.counterIsExact ? [] : [accuracyText(learned.calibration(ref))];
  return { key: modelKey(ref), label, detail: [window, priceText(prices), ...accuracy].join(' · ') };
}

/** The measured error of a model's token counts. Exact counters need no such text. */
function accuracyText({ error, samples }: Calibration): string {
  return error === null
    ? 'token counts: not checked yet'
    : `token counts: about ${(error * 100).toFixed(1)}% off in ${String(samples)} ${samples === 1 ? 'request' : 'requests'}`;
}

/** A model that is no longer in the list has its key as its label. */
export function modelName(ref: ModelRef, models: readonly Model[]): ModelName {
  const key = modelKey(ref);
  return { label: models.find((model) => modelKey(model.ref) === key)?.label ?? key, key };
}
