import type { ServerQuestionView, SpendQuestionView } from '../questions.js';
import type { ContextChip, ContextTotal, WithMessageRow } from './composer.js';
import type { CompactionView, LostFactsView, SummaryPreviewView } from './compaction.js';
import type { ChatTexts, ItemProofView, ManagerView } from './manager.js';
import type { ExclusionPrices, ReplyUses, ContextRows, NextRequestRows, RepeatView } from './requestRows.js';
import type { AllowedToolsView, RestoreOfferView, StepQuestionView } from './toolCalls.js';
import type { Banner, ChatListItem, ChatView, DraftView, IntroductionStep, OpenFile } from './view.js';
import type { FailedServer, NextRequestView } from './nextRequest.js';
import type { IdleView } from './idle.js';
import type { OutputProgress } from './entries.js';
import type { LimitsView } from '../limits.js';
import type { TurnSteps } from './turnSteps.js';
import { ENTRIES } from './entryChanges.js';
import { keyed, type DeltaOf, emptyOf, shown, shownAs, type StateOf, type ViewState, viewState } from '../viewState.js';

/*
 * The state of the chat panel as plain JSON: each member with its type, how it is sent, and its value without a chat.
 * The host computes this state, and the webview renders it. The webview itself stores only what the user expands,
 * focuses or types.
 */

export const PANEL = {
  /** All chats of the workspace, most recently used first. Null while the host reads the storage. */
  chats: shown<readonly ChatListItem[] | null>(null),
  /** The visible chat. Null until the first chat is loaded. */
  chat: shown<ChatView | null>(null),
  entries: shownAs(ENTRIES, []),
  /** The steps of the visible turns, by the id of the first visible step. */
  turns: shownAs(keyed<TurnSteps>(), {}),
  /** Output tokens and cost of streaming replies. Not in `entries`, so that an entry's delta can be only new text. */
  outputs: shown<readonly OutputProgress[]>([]),
  draft: shown<DraftView>({ text: '', revision: 0, edit: 0, editing: null, isShortened: false }),
  /** What goes with the message in the message box only, such as images. */
  withMessage: shown<readonly WithMessageRow[]>([]),
  /** Chips of the chat's items, some for whole folders. At most `MOST_CHIPS`, unless the user expands the list. */
  context: shown<readonly ContextChip[]>([]),
  contextTotal: shown<ContextTotal>({ items: 0, kinds: [], tokens: 0, folded: 0, foldedWarnings: 0, tools: 0, toolsNotOffered: 0 }),
  /** A summary that is being written, is suggested, or ended without a result. Null without such a summary. */
  compaction: shown<CompactionView | null>(null),
  /** The summary that the user reviews before Loupe uses it. `compaction` is then null. Null without a summary. */
  summaryPreview: shown<SummaryPreviewView | null>(null),
  /** Facts that the active summary lost, and that later messages contain again. Null without such facts. */
  neededAgain: shown<LostFactsView | null>(null),
  /** Files that tools wrote after the message that the user edits or retries. Null without such files. */
  restoreOffer: shown<RestoreOfferView | null>(null),
  /** The question whether a run may continue calling tools. Null without a question. */
  stepQuestion: shown<StepQuestionView | null>(null),
  /** The request that waits until the user approves its cost. Null if no request waits. */
  spendQuestion: shown<SpendQuestionView | null>(null),
  /** The spend limits. Null until the user opens them. */
  limits: shown<LimitsView | null>(null),
  /** The MCP server of the workspace that needs the user's permission to start. Null if no server needs it. */
  serverQuestion: shown<ServerQuestionView | null>(null),
  /** Names of the MCP servers that a message of the chat waits for. */
  startingServers: shown<readonly string[]>([]),
  /** The effect of excluding a turn (by its user message) or tool calls (by their reply) on the next request. */
  exclusionPrices: shownAs(keyed<ExclusionPrices>(), {}),
  /** Tool results that the next request sends as references, by the entry of their reply and by call. */
  repeats: shownAs(keyed<Readonly<Record<string, RepeatView>>>(), {}),
  nextRequest: shown<NextRequestView | null>(null),
  /** What Loupe offers before the cache of the chat expires, and what became of it. Null without an offer. */
  idle: shown<IdleView | null>(null),
  /** MCP servers that the chat uses and that failed. Not in `nextRequest`, because entries show them, too. */
  failedServers: shown<readonly FailedServer[]>([]),
  /** All blocks of the next request, without framing. Null while the list is collapsed, or when unknown. */
  nextRequestRows: shown<NextRequestRows | null>(null),
  /** The content of the requests of expanded entries, by entry id. */
  contextRows: shownAs(keyed<ContextRows>(), {}),
  /** Which items of its request a turn used, by the id of the entry that ended the turn. */
  replyUses: shownAs(keyed<ReplyUses>(), {}),
  /** The context pane. Null while it is closed, or if the next request is unknown. */
  manager: shown<ManagerView | null>(null),
  /** What the user allowed. Null while the context pane is closed, and until it is read. */
  allowedTools: shown<AllowedToolsView | null>(null),
  /** Session files and custom fragments. Null while the context pane is closed, or if the next request is unknown. */
  chatTexts: shown<ChatTexts | null>(null),
  /** Which requests contained the item of the pane's expanded row. Null without such a row, or until computed. */
  itemProof: shown<ItemProofView | null>(null),
  /** Whether the VS Code window has a folder, so that the user can add files. */
  hasFolder: shown<boolean>(true),
  /** Font size in pixels. Null: the size that VS Code sets. */
  fontSize: shown<number | null>(null),
  /** The file in the active editor. Null if that is no file of the workspace. */
  openFile: shown<OpenFile | null>(null),
  /** The introduction step to show to a new user. Null for other users. */
  introduction: shown<IntroductionStep | null>(null),
  /** Important messages for the user, most urgent first. */
  banners: shown<readonly Banner[]>([]),
} as const;

export type PanelState = StateOf<typeof PANEL>;

export type PanelDelta = DeltaOf<typeof PANEL>;

/** The state without a chat. */
export const EMPTY_PANEL: PanelState = emptyOf(PANEL);

export const PANEL_STATE: ViewState<PanelState, PanelDelta> = viewState(PANEL);
