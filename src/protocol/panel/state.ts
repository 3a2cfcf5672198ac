import type { ServerQuestionView } from '../servers.js';
import type { SpendQuestionView } from '../spend.js';
import type { ContextChip, ContextTotal } from './chips.js';
import type { CompactionView, LostFactsView, SummaryPreviewView } from './compaction.js';
import type { ExclusionPrices } from './exclusion.js';
import type { ItemProofView } from './itemProof.js';
import type { ManagerView } from './manager.js';
import type { ContextRows, NextRequestRows } from './requestRows.js';
import type { RestoreOfferView } from './restorableFile.js';
import type { StepQuestionView } from './toolCalls.js';
import type { Banner, ChatListItem, ChatView, DraftView, IntroductionStep, NextRequestView, OpenFile, OutputProgress } from './view.js';
import { ENTRIES } from './entryChanges.js';
import { keyed } from '../member.js';
import { type DeltaOf, emptyOf, shown, shownAs, type StateOf, type ViewState, viewState } from '../viewState.js';

/*
 * The state of the chat panel as plain JSON: each member with its type, how it is sent, and its value without a chat.
 * The host computes it, and the webview renders it. The webview's own state is only what is expanded, focused or being
 * typed.
 */

export const PANEL = {
  /** All chats of the workspace, most recently used first. Null while the storage is being read. */
  chats: shown<readonly ChatListItem[] | null>(null),
  /** The visible chat. Null until the first one is loaded. */
  chat: shown<ChatView | null>(null),
  entries: shownAs(ENTRIES, []),
  /** Output tokens of the streaming replies. They are not in `entries`, so that a delta can append text there. */
  outputs: shown<readonly OutputProgress[]>([]),
  draft: shown<DraftView>({ text: '', images: [], revision: 0, edit: 0, editing: null, isShortened: false }),
  /** Chips of the chat's items: at most `MOST_CHIPS`, some for whole folders, or all while the list is expanded. */
  context: shown<readonly ContextChip[]>([]),
  contextTotal: shown<ContextTotal>({ items: 0, files: 0, tokens: 0, folded: 0, foldedWarnings: 0, tools: 0, toolsNotOffered: 0 }),
  /** The summary that is being written. Null without one. */
  compaction: shown<CompactionView | null>(null),
  /** The summary that the user reviews before it is used. Null without one. `compaction` is null meanwhile. */
  summaryPreview: shown<SummaryPreviewView | null>(null),
  /** Facts lost by the active summary that were needed again. Null without any. */
  neededAgain: shown<LostFactsView | null>(null),
  /** Files that tools wrote after the message that is being edited. Null without any. */
  restoreOffer: shown<RestoreOfferView | null>(null),
  /** Whether a run may continue calling tools. Null without an open question. */
  stepQuestion: shown<StepQuestionView | null>(null),
  /** The request that waits until the user approves its cost. Null without one. */
  spendQuestion: shown<SpendQuestionView | null>(null),
  /** The workspace server that needs the user's permission to start. Null without one. */
  serverQuestion: shown<ServerQuestionView | null>(null),
  /** Servers that a message of the chat waits for. */
  startingServers: shown<readonly string[]>([]),
  /** The effect of excluding turns (by their user message) or tool calls (by their reply) on the next request. */
  exclusionPrices: shownAs(keyed<ExclusionPrices>(), {}),
  nextRequest: shown<NextRequestView | null>(null),
  /** All blocks of the next request, without framing. Null while they are collapsed or unknown. */
  nextRequestRows: shown<NextRequestRows | null>(null),
  /** The items of the requests of expanded entries, by entry id. */
  contextRows: shownAs(keyed<ContextRows>(), {}),
  /** Null while the context pane is closed, or if the next request is unknown. */
  manager: shown<ManagerView | null>(null),
  /** Which requests held the item of the expanded row in that pane. Null without one, and while it is being read. */
  itemProof: shown<ItemProofView | null>(null),
  /** Whether the window has a folder with files to add. */
  hasFolder: shown<boolean>(true),
  /** Font size in pixels. Null for VS Code's size. */
  fontSize: shown<number | null>(null),
  /** The file in the active editor. Null without a workspace file. */
  openFile: shown<OpenFile | null>(null),
  /** The introduction step that a new user sees now. Null for others. */
  introduction: shown<IntroductionStep | null>(null),
  /** Important messages for the user, most urgent first. */
  banners: shown<readonly Banner[]>([]),
} as const;

export type PanelState = StateOf<typeof PANEL>;

export type PanelDelta = DeltaOf<typeof PANEL>;

/** The state without a chat. */
export const EMPTY_PANEL: PanelState = emptyOf(PANEL);

export const PANEL_STATE: ViewState<PanelState, PanelDelta> = viewState(PANEL);
