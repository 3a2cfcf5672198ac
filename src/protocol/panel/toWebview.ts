import type { ImageResponse, ImageToScale } from '../images.js';
import type { PanelDelta, PanelState } from './state.js';
import type { ChatUsageView } from './view.js';
import type { StateMessage } from '../viewState.js';

/** Messages to the panel that do not change its state. */
export type PanelNote =
  /** Moves the focus to the message box after a command. */
  | { readonly type: 'focusComposer' }
  /** Moves the focus to the first question that waits for an answer. */
  | { readonly type: 'focusQuestion' }
  /** Scrolls to an entry and focuses the entry. `text` is the search text that found it. Null without a search. */
  | { readonly type: 'reveal'; readonly entryId: string; readonly text: string | null }
  | SearchResults
  | Mentions
  | ImageResponse
  | ImageToScale
  | SpentSums
  | PathsFound
  /** The response to `addImages`. The state has a row for each image that was added. */
  | { readonly type: 'imagesAdded'; readonly chatId: string }
  /** Opens the search in the visible chat. */
  | { readonly type: 'find' }
  /** Opens the context pane of the visible chat. */
  | { readonly type: 'manage' }
  /** Opens the settings of the visible chat. */
  | { readonly type: 'settings' };

export type ToWebview = StateMessage<PanelState, PanelDelta> | PanelNote;

/** Messages for the panel: without those for the message box, images, the cost in the header, and links of paths. */
export type ToPanel = Exclude<ToWebview, Mentions | ImageResponse | ImageToScale | SpentSums | PathsFound>;

/** The response to `sumSpending`: the cost of all chats of the workspace, with deleted chats. */
export interface SpentSums {
  readonly type: 'spentSums';
  readonly day: SpentInPeriod;
  readonly week: SpentInPeriod;
}

/** The response to `findPaths`: those paths that are files of the workspace. */
export interface PathsFound {
  readonly type: 'pathsFound';
  readonly found: readonly string[];
}

/** Maximum number of paths in one `findPaths`. */
export const MOST_FOUND_PATHS = 100;

/** US dollars (null if nothing was billed at a known price), and the number of requests of unknown cost. */
export type SpentInPeriod = Pick<ChatUsageView, 'cost' | 'unknownRequests'>;

export const PANEL_SEARCH_ROLES = ['all', 'user', 'assistant'] as const;
export type PanelSearchRole = (typeof PANEL_SEARCH_ROLES)[number];

/** Minimum number of letters of a search text. A single letter would match nearly all messages. */
export const LEAST_SEARCHED = 2;

/** The response to `searchChats`, with the text and role of the request. */
export interface SearchResults {
  readonly type: 'searchResults';
  readonly text: string;
  readonly role: PanelSearchRole;
  /** The messages found, newest first. */
  readonly messages: readonly FoundMessage[];
  /** Whether there may be more matches in older messages. */
  readonly isCut: boolean;
  /** Number of chats that could not be searched completely. `all`: Loupe searched only the open chats. */
  readonly unread: number | 'all';
  /** Why the search failed. Null if it succeeded. */
  readonly failure: string | null;
}

export interface FoundMessage {
  readonly chatId: string;
  readonly chatTitle: string;
  /** Id of the message. For an unfinished reply: the attempt's id. */
  readonly messageId: string;
  readonly role: 'user' | 'assistant' | 'tool-results' | 'summary';
  /** Time of the message in epoch milliseconds. */
  readonly at: number;
  /** The text around the match (about 100 characters), on one line, without Markdown syntax. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/*
 * Suggestions for `@` and `/` in a message. `@` names a file or another item to add to the chat. `/` at the beginning
 * of a line names a command of the chat, or a prompt of the workspace or of an MCP server to insert into the message.
 */

export const MENTION_MARKS = ['@', '/'] as const;

export type MentionMark = (typeof MENTION_MARKS)[number];

export interface MentionRow {
  /** Key of the item or prompt, or the command. For an MCP server that does not run, and for its log: its name. */
  readonly key: string;
  readonly kind: 'file' | 'rule' | 'reference' | 'skill' | 'tool' | 'page' | 'command' | 'prompt' | 'server' | 'serverLog';
  /** Name to show: for a file without its folders, for a prompt of an MCP server with the server's name. */
  readonly name: string;
  /** A second text: the folders of a file, a description, or what the row of an MCP server does. */
  readonly about: string;
  /** Indexes of the letters of `name` that match the typed text, in UTF-16 units. */
  readonly matches: readonly number[];
  readonly isIn: boolean;
  /** Estimated tokens of an item, or of a prompt without its arguments. Null when unknown, and for other rows. */
  readonly tokens: number | null;
  /** Why a command cannot run now. Null when it can, and for other rows. */
  readonly problem: string | null;
}

/** The response to `findMentions`, with the mark and text of that message. A later response replaces an earlier one. */
export interface Mentions {
  readonly type: 'mentions';
  readonly mark: MentionMark;
  readonly text: string;
  /** Suggestions by kind, best first. `@`: files, rules, references, skills, tools, servers. `/`: commands, prompts. */
  readonly rows: readonly MentionRow[];
  /** Sentences about MCP servers that have not responded: the state or problem of each server. */
  readonly notes: readonly string[];
}

/** Maximum number of suggestions above the message box without commands, so that the user can read them at a glance. */
export const MOST_MENTIONS = 8;
