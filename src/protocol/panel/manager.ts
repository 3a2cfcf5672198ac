import type { OffScope } from '../../engine/record/item.js';
import type { ItemProof } from '../../engine/accounting/itemProof.js';
import { age, counted, price, tokens } from '../numbers.js';

/*
 * The context pane of a chat: items that the next request contains, and items that the user can add.
 */

/** The item types that have a section in the pane, in this order. */
export const MANAGED_TYPES = ['rule', 'reference', 'skill', 'tool', 'file', 'page', 'repository'] as const;
export type ManagedType = (typeof MANAGED_TYPES)[number];
/** Item types with one row per item. Tools are listed below their MCP servers instead. */
export type ListedType = Exclude<ManagedType, 'tool'>;

/** Maximum rows of a section at first: as many as the panel can reorder in one frame. The user can ask for more. */
export const MOST_MANAGED = 50;

export const MOST_OPEN_SERVERS = 100;

/** Maximum number of characters of a tool's description in its row. The editor shows the whole description. */
export const LONGEST_DESCRIPTION = 500;

/** The include modes that an agent profile can set for an item. */
export const AGENT_INCLUDES = ['always', 'manual', 'agent', 'onDemand', 'off'] as const;
export type ManagedInclude = (typeof AGENT_INCLUDES)[number];

/** Where the user can switch an item off. `everywhere`: in all folders. */
export const OFF_CHOICES = ['chat', 'folder', 'everywhere'] as const;
export type OffChoice = (typeof OFF_CHOICES)[number];

/** After this many replies without a use, an item is shown as unused. */
export const UNUSED_REPLIES = 20;

/** The visible part of the pane. The host sends rows only for open sections. */
export interface ManagedSections {
  /** Search text for names, paths and descriptions. All sections are open during a search. */
  readonly search: string;
  readonly open: readonly ManagedType[];
  /** Names of the MCP servers whose tools are shown. */
  readonly servers: readonly string[];
  /** Key of the item whose row is expanded. Null if no row is expanded. */
  readonly proof: string | null;
  /** Maximum rows by type of a section or key of a server. Missing for `MOST_MANAGED`. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface ManagerView {
  /** Whether the user does not trust the folder. Requests then omit its rules. */
  readonly isRestricted: boolean;
  /** Number of items in the next request, including tools, and the tokens of these items. */
  readonly items: number;
  readonly tokens: number;
  /** The agent for which the user changes include modes in the pane. Null: changes apply to all chats. */
  readonly agent: string | null;
  /** Number of requests that were searched for `lastUse` of the rows. */
  readonly requests: number;
  readonly sections: readonly ManagerSection[];
  readonly tools: ToolSection;
}

/** Number of items in the next request (`held`) with their tokens, and number of all available items. */
export interface SectionTotals {
  readonly held: number;
  readonly total: number;
  readonly tokens: number;
}

export interface ToolSection extends SectionTotals {
  /** Number of replies that were searched for `lastCall` of the rows. */
  readonly replies: number;
  /** A sentence that the model does not support tools, so that requests have none. Null if the model supports tools. */
  readonly notOffered: string | null;
  /** Whether the chat's model can load tools on demand. If not, Loupe selects on-demand tools for each message. */
  readonly loadsTools: boolean;
  readonly mistakes: readonly ServersMistake[];
  /** Whether the chat's settings turn off Loupe's built-in tools, which then have no row. */
  readonly lacksOwn: boolean;
  /** Rows of MCP servers. Empty while the section is closed. */
  readonly servers: readonly ServerRow[];
}

/** A mistake in the configuration of MCP servers, with its file and line. */
export interface ServersMistake {
  readonly place: string;
  readonly line: number | null;
  readonly text: string;
}

export interface ServerRow {
  /** Key of the MCP server in the agent's profile. */
  readonly key: string;
  readonly name: string;
  /** `gone`: the MCP server is no longer configured, but the chat still has one of its tools. */
  readonly status: 'stopped' | 'starting' | 'running' | 'failed' | 'gone';
  /** Why the MCP server failed. Null if it did not fail. */
  readonly problem: string | null;
  /** Whether Loupe starts the MCP server. The server then has a log. */
  readonly hasLog: boolean;
  /** `wanted`: the MCP server needs the user's sign-in. `done`: the user is signed in. `none`: neither, or unknown. */
  readonly signIn: 'none' | 'wanted' | 'done';
  /** How many of the server's tools are in the chat: all, some or none. `off`: the tools cannot be added. */
  readonly state: 'in' | 'some' | 'out' | 'off';
  readonly includeMode: ManagedInclude;
  /** Where the server, or each of its tools, is off. Null for a server that is on. */
  readonly off: OffScope | null;
  readonly held: number;
  readonly total: number;
  /** Tokens of the server's tools in the next request, or of all its tools if none is there. Null when unknown. */
  readonly tokens: number | null;
  /** Whether the model has called no tool of the server for a long time. */
  readonly isUnused: boolean;
  /** Number of replies after the last call of a tool of the server. 0: the latest reply has a call. Null: no call. */
  readonly lastCall: number | null;
  /** Rows of the server's tools. Null while the server is collapsed. */
  readonly tools: readonly ToolRow[] | null;
  /** Number of matching tools that have no row in `tools`. */
  readonly more: number;
}

export interface ToolRow extends Pick<ManagerRow, 'key' | 'name' | 'state' | 'off' | 'score' | 'tokens' | 'note'> {
  readonly includeMode: ManagedInclude;
  /** The beginning of the description, at most `LONGEST_DESCRIPTION` characters. */
  readonly description: string;
  /** Number of replies after the last call of the tool. 0: the latest reply has a call. Null without a call. */
  readonly lastCall: number | null;
}

export interface ManagerSection extends SectionTotals {
  readonly type: ListedType;
  /** Rows of the items. Empty while the section is closed. */
  readonly rows: readonly ManagerRow[];
  /** Number of matching items that have no row in `rows`. */
  readonly more: number;
}

export interface ManagerRow {
  readonly key: string;
  readonly name: string;
  /** Path of the item's file, if it differs from the name. Null otherwise. */
  readonly source: string | null;
  /** `in`: in the chat. `picked`: selected by Loupe for the next request only. `out`: neither. `off`: never used. */
  readonly state: 'in' | 'picked' | 'out' | 'off';
  /** Where the item is off. Null for an item that is on. */
  readonly off: OffScope | null;
  /** How the item gets into chats. Null if only the user can add it. */
  readonly includeMode: 'always' | 'manual' | 'agent' | 'onDemand' | null;
  /** Whether the item's file has patterns, so that the mode `agent` also picks the item for matching files. */
  readonly isForFiles: boolean;
  /** How well the item matches the draft. Null if the match does not matter. */
  readonly score: number | null;
  /** Tokens of the item. Null if it cannot be read. */
  readonly tokens: number | null;
  /** A problem with the item, or why it is not included. Null without a note. */
  readonly note: string | null;
  /** The file and line that the note is about. Null without a line. */
  readonly place: { readonly path: string; readonly line: number } | null;
  /** Number of requests after the last request with the item: 0 for the latest request. Null without such a request. */
  readonly lastUse: number | null;
  /** Whether the item was not mentioned for a long time. */
  readonly isUnused: boolean;
  /** Present for a web page only. `name` is then its title. */
  readonly page?: { readonly address: string; readonly fetchedAt: number; readonly bytes: number };
}

/*
 * Texts that exist only in one chat, for the context pane: session files, and custom fragments of the system prompt.
 */

export interface ChatTexts {
  readonly files: readonly SessionFileRow[];
  /** The names of deleted session files that the user can restore. */
  readonly deletedFiles: readonly string[];
  readonly fragments: readonly FragmentRow[];
  /** Whether the next request has no tool with which the model reads session files. */
  readonly lacksTools: boolean;
}

export interface SessionFileRow {
  readonly name: string;
  readonly mimeType: string;
  readonly summary: string;
  /** Tokens of the content when the model reads the file. Null when unknown. */
  readonly tokens: number | null;
  /** Whether the user can restore an earlier version. */
  readonly hasEarlier: boolean;
}

export interface FragmentRow {
  readonly id: string;
  readonly text: string;
  readonly tokens: number;
}

/* Sentences about the requests with a rule, reference or skill, for the context pane and above the item's file. */

export interface ProofFigures extends Omit<ItemProof, 'lastAt'> {
  /** Number of all requests for replies, with or without the item. */
  readonly requests: number;
}

/** Another file that has all or most of the text of a rule. */
export interface DuplicateRuleView {
  readonly text: string;
  readonly source: string;
}

export interface ItemProofView {
  readonly key: string;
  /** Figures about the requests of the visible chat. */
  readonly chat: ProofFigures;
  /** Figures about the requests of all chats in the last `PROOF_DAYS` days. */
  readonly recent: ProofFigures;
  /** Time of the latest of the `recent` requests with the item, in epoch milliseconds. Null if none had the item. */
  readonly lastAt: number | null;
  /** Rule files in deeper folders that were also in the latest request. */
  readonly nearer: readonly string[];
  readonly duplicates: readonly DuplicateRuleView[];
}

/** Number of days that are searched: about a month. */
export const PROOF_DAYS = 30;

/** Returns sentences for the user about the use of an item. Duplicates are not included. */
export function proofSentences({ chat, recent, lastAt, nearer }: ItemProofView, now: number): readonly string[] {
  // If there is only one chat, both figures are about the same requests.
  const isSame = recent.requests === chat.requests;
  const last = age(lastAt ?? now, now).replace(/ [a-z]+$/, '$& ago');
  return [
    figuresSentence(chat, 'of this chat'),
    ...(isSame ? [] : [figuresSentence(recent, `of all chats in ${String(PROOF_DAYS)} days`)]),
    ...(lastAt === null || chat.whole === chat.requests ? [] : [`Last request with this item: ${last}.`]),
    ...nearer.map((source) => `Requests contain ${source} after this item, because its folder is deeper.`),
  ];
}

function figuresSentence({ requests, whole, cut, tokens: size, ...cost }: ProofFigures, where: string): string {
  if (requests === 0) {
    return `No request ${where} yet.`;
  }
  const of = `${counted(requests, 'request')} ${where}`;
  if (whole + cut === 0) {
    return requests === 1 ? `The only request ${where} does not contain this item.` : `None of ${of} contains this item.`;
  }
  const held = [...(whole === 0 ? [] : [`whole in ${tokens(whole)}`]), ...(cut === 0 ? [] : [`cut in ${tokens(cut)}`])].join(' and ');
  return `Sent ${held} of ${of}: ${counted(size, 'token')}${costWords(cost)}.`;
}

function costWords({ cost, unknownCosts }: Pick<ProofFigures, 'cost' | 'unknownCosts'>): string {
  if (cost === null) {
    return unknownCosts === 0 ? '' : ', price unknown';
  }
  return `, ${unknownCosts === 0 ? '' : 'at least '}${price(cost)} in all`;
}
