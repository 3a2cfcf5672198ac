import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { chatTitle } from '../../../engine/chat/message/opening.js';
import { openQuestions } from '../../../engine/chat/openQuestions.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { costOfRun } from '../../../engine/accounting/runCost.js';
import type { Banner, ChatListItem, ChatUsageView, ChatView, DraftView, EntryView, OpenFile } from '../../../protocol/panel/view.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { StepQuestionView } from '../../../protocol/panel/toolCalls.js';
import { PRACTICE_STANDARD } from '../../../providers/practice/models.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Draft } from '../../chat/drafts.js';
import type { Provider } from '../../models/registry.js';
import { chipRows } from '../composer/chipRows.js';
import { compactionView } from '../conversation/summaryEntry.js';
import { spendQuestionView } from '../conversation/spendQuestionView.js';
import { summaryPreviewView } from '../summary/summaryPreviewView.js';
import type { EditPreviews } from '../composer/editPreviews.js';
import { type ShownEntries, imageView } from '../conversation/entries.js';
import type { ManagerRows } from '../manager/managerRows.js';
import type { OpenProof } from '../manager/openProof.js';
import { type ModelLessons, findModel, inputLimit, modelView } from './modelView.js';
import type { OutputCounts } from '../conversation/outputCounts.js';
import type { EntryRows, OpenSections } from './openRows.js';
import type { Preview } from './previews.js';
import { settingRows } from './settingRows.js';
import type { SpentInChat } from '../conversation/spentInChat.js';
import type { DamageView } from '../../../protocol/panel/damage.js';
import { countedAs } from '../../../protocol/numbers.js';
import type { ChatFault } from '../../chat/faultTexts.js';

/** The most lines that the badge names in its one line. The notes name all. */
const LINES_NAMED = 3;

/** The most notes shown, because a log ruined by another program has thousands. The log channel has all of them. */
const NOTES_SHOWN = 20;

/**
 * Returns the damage of a chat's log for its badge, or null. `problems` are events that refer to missing ones; they
 * follow from damaged lines and are only counted. Lines of a newer Loupe are no damage: they make the chat read-only,
 * and the panel says so.
 */
export function damageView(faults: readonly ChatFault[], problems: readonly string[]): DamageView | null {
  const damage = faults.filter(({ kind }) => kind !== 'newer' && kind !== 'unknownType');
  if (damage.length === 0 && problems.length === 0) {
    return null;
  }
  const shown = damage.slice(0, NOTES_SHOWN);
  const more = damage.length - shown.length;
  const others = [
    ...(more > 0 ? [`${countedAs(more, 'more place is', 'more places are')} damaged.`] : []),
    ...(problems.length > 0 ? [dependants(problems.length)] : []),
  ];
  const files = [...new Set(shown.map(({ segment }) => segment))].map((file) => ({
    file,
    notes: shown.filter(({ segment }) => segment === file).map(note),
  }));
  return { label: label(damage), files, others };
}

function note({ line, kind, reason }: ChatFault): string {
  const where = line === null ? 'The whole file' : `Line ${String(line)}`;
  return `${where}: ${reason}.${kind === 'bom' ? ' Nothing is lost.' : ''}`;
}

function label(damage: readonly ChatFault[]): string {
  const lines = [...new Set(damage.flatMap(({ line, kind }) => (line === null || kind === 'bom' ? [] : [line])))].toSorted((a, b) => a - b);
  if (lines.length > 0) {
    return `Damaged: ${lines.length === 1 ? 'line' : 'lines'} ${listed(lines)}`;
  }
  if (damage.some(({ kind }) => kind === 'unreadable')) {
    return 'A file of this chat cannot be read';
  }
  return damage.length > 0 ? 'Line 1 was changed by another program' : 'A part of this chat is missing';
}

function listed(lines: readonly number[]): string {
  const named = lines.slice(0, LINES_NAMED);
  const more = lines.length - named.length;
  const [last = ''] = more > 0 ? [`${String(more)} more`] : named.slice(-1).map(String);
  const before = more > 0 ? named : named.slice(0, -1);
  return before.length === 0 ? last : `${before.join(', ')} and ${last}`;
}

function dependants(count: number): string {
  return `${countedAs(count, 'line that depends on it is', 'lines that depend on it are')} not shown.`;
}

export interface PanelInput {
  readonly chats: readonly ChatListItem[] | null;
  readonly session: ChatSession | null;
  /** The visible part of the conversation; null without a chat. */
  readonly shown: ShownEntries | null;
  readonly draft: DraftView;
  readonly next: Preview;
  readonly open: OpenSections;
  readonly rows: Pick<EntryRows, 'derive'>;
  readonly managers: Pick<ManagerRows, 'derive'>;
  readonly proofs: Pick<OpenProof, 'of'>;
  readonly providers: readonly Provider[];
  readonly learned: ModelLessons;
  readonly outputs: Pick<OutputCounts, 'derive'>;
  readonly serverQuestion: PanelState['serverQuestion'];
  readonly restoreOffer: (chatId: string) => PanelState['restoreOffer'];
  readonly edits: Pick<EditPreviews, 'derive'>;
  readonly hasFolder: boolean;
  readonly defaults: ChatConfig;
  readonly fontSize: number | null;
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
    chat: session === null ? null : chatView(session, shown, input, input.spent.derive(session.state)),
    entries: input.edits.derive(withNeededAgain(shown.entries, next)),
    outputs: session === null ? [] : input.outputs.derive(shown.entries, session.state),
    draft,
    ...chipRows(next.chips, next.tools, open.chips),
    ...(session === null ? { compaction: null, summaryPreview: null } : summaryViews(session)),
    ...(session === null ? NO_QUESTIONS : questionViews(session, input)),
    serverQuestion: input.serverQuestion,
    exclusionPrices: next.exclusionPrices,
    nextRequest: next.request,
    nextRequestRows: open.nextRequest ? next.rows : null,
    contextRows: session === null ? {} : input.rows.derive({ entries: shown.entries, open, limitOf: inputLimit(input) }, session.state),
    manager: input.managers.derive(next.managed, open.manager),
    itemProof: session === null ? null : input.proofs.of(open.manager?.proof ?? null, session.state),
    hasFolder: input.hasFolder,
    fontSize: input.fontSize,
    openFile: input.openFile,
    introduction: input.introduction,
    banners,
  };
}

type PanelQuestions = Pick<PanelState, 'restoreOffer' | 'stepQuestion' | 'spendQuestion' | 'startingServers'>;

const NO_QUESTIONS: PanelQuestions = { restoreOffer: null, stepQuestion: null, spendQuestion: null, startingServers: [] };

function questionViews(session: ChatSession, { restoreOffer }: PanelInput): PanelQuestions {
  return {
    restoreOffer: restoreOffer(session.id),
    stepQuestion: stepQuestionView(session.state),
    spendQuestion: spendQuestionView(session),
    startingServers: session.servers.starting,
  };
}

/** Returns the question whether the run may continue to call tools, or null. */
function stepQuestionView(state: ChatState): StepQuestionView | null {
  const question = openQuestions(state).find(({ kind }) => kind === 'steps');
  return question?.kind === 'steps' ? { runId: question.runId, steps: question.steps, cost: costOfRun(question.runId, state) } : null;
}

/** Shows the work on a summary in its open pane, or else in the conversation. */
function summaryViews(session: ChatSession): Pick<PanelState, 'compaction' | 'summaryPreview'> {
  const summaryPreview = summaryPreviewView(session);
  return { compaction: summaryPreview === null ? compactionView(session) : null, summaryPreview };
}

/** Adds to the active summary what was needed again. */
function withNeededAgain(entries: readonly EntryView[], { neededAgain }: Preview): readonly EntryView[] {
  return entries.map((entry) => (entry.kind === 'summary' && entry.status === 'active' ? { ...entry, neededAgain } : entry));
}

/** Returns the view of a draft for a panel, with the number of the panel's last edit. An empty one without a chat. */
export function draftView(draft: Draft | null, panelId: string): DraftView {
  if (draft === null) {
    return { text: '', images: [], revision: 0, edit: 0, editing: null, isShortened: false };
  }
  const { text, images, revision, edits, editing, original } = draft;
  return { text, images: images.map(imageView), revision, edit: edits.get(panelId) ?? 0, editing, isShortened: original !== null };
}

function chatView(
  { state, conversation, readOnly, faults }: ChatSession,
  { earlier, later }: Pick<ShownEntries, 'earlier' | 'later'>,
  { providers, learned, defaults }: Pick<PanelInput, 'providers' | 'learned' | 'defaults'>,
  spent: ChatUsageView | null,
): ChatView {
  const found = findModel(state.config.model, providers);
  const limit = inputLimit({ providers, learned })(state.config.model);
  return {
    id: state.chatId,
    title: chatTitle(state),
    running: conversation.isRunning,
    isPractice: state.config.model.provider === PRACTICE_STANDARD.ref.provider,
    readOnly,
    damage: damageView(faults, state.problems),
    earlierMessages: earlier,
    laterMessages: later,
    model: modelView(found, learned),
    settings: settingRows(state.config, defaults, { modelLimit: limit, providers }),
    spent,
  };
}
