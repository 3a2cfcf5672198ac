import type { ApiChatSummary } from './api.js';

/*
 * What the panel shows, as plain JSON. The host computes it from the chat's state; the webview renders it and
 * keeps none of its own beyond what is open, focused or being typed.
 */

/** Chips that are shown unless more are asked for: a wall of them as it is. */
export const MOST_CHIPS = 200;

/** Entries whose context is open at a time: more than anyone looks at. */
export const MOST_OPEN = 500;

export interface PanelState {
  /** All chats of the workspace, most recently used first; null while the storage is being read. */
  readonly chats: readonly ChatListItem[] | null;
  /** The chat on show; null before the first one is loaded. */
  readonly chat: ChatView | null;
  readonly entries: readonly EntryView[];
  /** What has arrived of the replies among `entries` that stream. Apart from them, so that text is only appended to those. */
  readonly outputs: readonly OutputSoFar[];
  readonly draft: DraftView;
  /** What is in the chat: the first of it, and all while that is open. */
  readonly context: readonly ContextChip[];
  readonly contextHidden: HiddenChips;
  readonly nextRequest: NextRequestView | null;
  /** Everything that the next request holds, framing excluded; null unless it is open, and while it is not known. */
  readonly nextRequestRows: readonly BlockView[] | null;
  /** What the requests of open entries held, by entry. */
  readonly contextRows: Readonly<Record<string, ContextRows>>;
  readonly models: readonly ModelOption[];
  /** Things the user must know, most urgent first. */
  readonly banners: readonly Banner[];
}

/** A chat that cannot be read is listed without a time, and its preview says why. */
export type ChatListItem = ApiChatSummary;

export interface ChatView {
  readonly id: string;
  readonly title: string;
  readonly running: boolean;
  /** Why nothing can be sent or changed; null when it can. */
  readonly readOnly: string | null;
  /** What of its log is damaged; null when nothing is. */
  readonly damage: DamageView | null;
  /** Messages before the first one in `entries`. */
  readonly earlierMessages: number;
  /** Messages after the last one in `entries`; 0 while the end of the conversation is on show. */
  readonly laterMessages: number;
  readonly settings: readonly SettingRow[];
}

/** A badge that names the damaged lines, and the sentences behind it: by file, and what concerns no line. */
export interface DamageView {
  readonly label: string;
  readonly files: readonly { readonly file: string; readonly notes: readonly string[] }[];
  readonly others: readonly string[];
}

/** A setting of the chat, as a row of its form. */
export interface SettingRow {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** It can be changed beside the message box, too. */
  readonly isQuick: boolean;
  /** A model by its key among `models`. */
  readonly value: SettingValue;
  readonly control: SettingControl;
}

export type SettingValue = string | number | null;

/** How a value is chosen or written. */
export type SettingControl =
  | { readonly kind: 'model' }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string; readonly detail: string }[] }
  | { readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** Null without a limit. */
      readonly most: number | null;
      /** What it means to leave it out; null where it cannot be. */
      readonly empty: string | null;
      /** The numbers that it takes, in words. */
      readonly expected: string;
    };

export interface ModelOption {
  readonly key: string;
  readonly label: string;
  /** One line: its window, its price, how far its token counts are off. */
  readonly detail: string;
}

/** The host's draft. `revision` grows when the host changed it (sent, edit begun); `edit` echoes the last edit seen. */
export interface DraftView {
  readonly text: string;
  readonly revision: number;
  readonly edit: number;
  /** Id of the user message being edited: sending replaces it and what follows. */
  readonly editing: string | null;
}

export interface ContextChip {
  /** Item key, such as `file:src/a.ts`. */
  readonly key: string;
  readonly name: string;
  /** Null when the content cannot be read. */
  readonly tokens: number | null;
  readonly warning: { readonly kind: 'changed' | 'missing' | 'refused'; readonly text: string } | null;
}

/** The chips that are not among those shown, and how many of them have a warning. */
export interface HiddenChips {
  readonly count: number;
  readonly warnings: number;
}

export type Category = 'system' | 'rules' | 'references' | 'files' | 'tools' | 'conversation';

/** A share of a request in tokens. `framing` is what the wire format itself adds. */
export interface Share {
  readonly category: Category | 'framing';
  readonly tokens: number;
}

/**
 * What a request's size rests on: the model's own tokenizer, the provider's count of it, or an estimate. `atLeast`: the
 * conversation is so long that only its end was counted, until that was over the budget.
 */
export type SizeBasis = 'exact' | 'providerCount' | 'estimate' | 'atLeast';

export interface NextRequestView {
  readonly totalTokens: number;
  readonly basis: SizeBasis;
  /** Typical relative error of an estimate, measured on earlier requests; null when it is not known. */
  readonly error: number | null;
  /** What the model gets in another form than it was said, a sentence each. */
  readonly adaptations: readonly string[];
  /** Budget in tokens for the whole request. */
  readonly budget: number;
  /** None of them is empty. */
  readonly shares: readonly Share[];
  /** US dollars for the input, nothing read from a cache; null without prices. */
  readonly inputCost: number | null;
  /** Why it cannot be sent as it is; null when it can. */
  readonly problem: string | null;
}

/** A row of a request: one block, or several of one source folded into one. */
export interface BlockView {
  readonly label: string;
  readonly category: Category;
  readonly count: number;
  readonly tokens: number;
}

export interface Banner {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly actions: readonly BannerAction[];
}

/** What can be done about a banner. */
export const BANNER_ACTIONS = [
  'undoDelete',
  'importChats',
  'showLog',
  'openSettings',
  'retryStorage',
  'exportChat',
  'copyChat',
  'stopReading',
  'dismiss',
] as const;

export interface BannerAction {
  readonly label: string;
  readonly action: (typeof BANNER_ACTIONS)[number];
  /** What the action is about, such as a chat id; empty when it needs nothing. */
  readonly argument: string;
}

/** One block of the conversation; `id` is stable and unique within it. */
export type EntryView = UserEntry | AssistantEntry | ToolResultsEntry | AccountingEntry | RetryEntry | RunNoteEntry;

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly at: number;
  /** `unsent`: it was never answered and is not sent with later requests. `queued`: it waits until the chat is free. */
  readonly status: 'sent' | 'unsent' | 'queued';
}

export type PartView =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'toolCall'; readonly callId: string; readonly name: string; readonly args: string };

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly parts: readonly PartView[];
  /**
   * `cutOff`: it reached the output limit; `refused`: the provider ended it because of its content; `incomplete`: the
   * provider failed; `interrupted`: the extension host ended. All of them keep their partial text.
   */
  readonly status: 'streaming' | 'done' | 'cutOff' | 'refused' | 'stopped' | 'incomplete' | 'interrupted';
  readonly model: string;
  readonly at: number;
  /** Null until the attempt has ended. */
  readonly usage: UsageLine | null;
  /** Null for messages without a record of their request. */
  readonly contextUsed: ContextUsed | null;
}

/** Output tokens that have arrived of a reply, counted here. */
export interface OutputSoFar {
  readonly entryId: string;
  readonly tokens: number;
  /** False only when the counter is the model's own. */
  readonly isEstimate: boolean;
}

export interface UsageLine {
  /** Null is unknown, not 0. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly writtenTokens: number | null;
  readonly outputTokens: number | null;
  /** Whether the figures are counts made here instead of the provider's. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  readonly cost: number | null;
  readonly durationMs: number;
  /** Whether another chat made the request, and counts it: this one was forked from it. */
  readonly inherited: boolean;
}

/** What a request held, in figures. */
export interface ContextUsed {
  /** `1 file (manual)`; a sentence when there is nothing. */
  readonly summary: string;
  readonly totalTokens: number;
  readonly basis: SizeBasis;
}

/** What a request held, item by item: as long as the context was, so it travels only while the entry is open. */
export interface ContextRows {
  readonly groups: readonly ContextGroup[];
  /** Everything that was sent, framing excluded. */
  readonly blocks: readonly BlockView[];
  readonly framingTokens: number;
  /** What the model got in another form than it was said, a sentence each. */
  readonly adaptations: readonly string[];
}

export interface ContextGroup {
  readonly type: 'rule' | 'reference' | 'tool' | 'file';
  readonly items: readonly ContextItemView[];
}

export interface ContextItemView {
  /** Tools as `server:tool`. */
  readonly name: string;
  readonly includeMode: 'always' | 'manual' | 'agent';
  readonly score: number | null;
  readonly tokens: number | null;
  /** Why it was left out of the request; null when it was in it. */
  readonly leftOut: string | null;
}

export interface ToolResultsEntry {
  readonly kind: 'toolResults';
  readonly id: string;
  readonly results: readonly {
    readonly callId: string;
    readonly name: string;
    readonly text: string;
    /** Of a large result `text` is the begin: that many characters, of so many UTF-8 bytes. Null: it is all. */
    readonly cut: { readonly characters: number; readonly bytes: number } | null;
    readonly isError: boolean;
    readonly synthetic: boolean;
  }[];
}

/** A hairline with a sentence: `Edited · 2 discarded · $0.083 so far · Bring back`. */
export interface AccountingEntry {
  readonly kind: 'accounting';
  readonly id: string;
  readonly reason: 'edited' | 'retried' | 'broughtBack';
  readonly discardedMessages: number;
  readonly costSoFar: number | null;
  readonly rewindId: string;
}

/** A request failed and is made again: why, and when. Shown while the wait lasts. */
export interface RetryEntry {
  readonly kind: 'retry';
  readonly id: string;
  readonly text: string;
  /** Epoch milliseconds of the next request, and that it is the `number`th of at most `most` repeats. */
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

/** How a run ended when it did not end well: the cause and the next action. */
export interface RunNoteEntry {
  readonly kind: 'runNote';
  readonly id: string;
  readonly status: 'stopped' | 'failed' | 'interrupted';
  readonly text: string;
  /** Technical detail for those who want it; null without any. */
  readonly detail: string | null;
  readonly actions: readonly RunAction[];
  /** The user message that `retry` answers anew. */
  readonly userMessageId: string;
}

export type RunAction = 'retry' | 'continue' | 'setApiKey' | 'selectModel' | 'showLog';
