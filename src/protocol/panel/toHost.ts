import * as z from 'zod/mini';
import { foreignId, id, parse, type Parsed, VIEW_MESSAGES } from '../parse.js';
import { DRAWN_TYPES } from '../images.js';
import { PANEL_SEARCH_ROLES } from './search.js';
import { AGENT_INCLUDES, MANAGED_TYPES, MOST_OPEN_SERVERS } from './manager.js';
import { MENTION_MARKS } from './mentions.js';
import { BANNER_ACTIONS, INTRODUCTION_STEPS, MOST_OPEN } from './view.js';

/** Longest text that the panel may send: far above any model's prompt, far below what would stall the host. */
export const MAX_TEXT_LENGTH = 4_000_000;

const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));

/** Longest text to search for, in characters: longer than anyone types. */
const MAX_SEARCH_LENGTH = 1_000;

/** Longest reason of a refusal: a model needs no more. */
const MAX_REASON_LENGTH = 2_000;

const APPROVAL_SCOPES = ['once', 'chat', 'always', 'refused'] as const;

const searched = z.string().check(z.maxLength(MAX_SEARCH_LENGTH));

const toHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  /** The webview numbers its edits from 1 each time it is created. The draft echoes the last edit that the host has seen. */
  z.strictObject({ type: z.literal('draft'), chatId: id, text, edit: z.int() }),
  z.strictObject({ type: z.literal('send'), chatId: id, text }),
  /** `messageId` is a queued message, here and in `takeBack`. */
  z.strictObject({ type: z.literal('sendQueued'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('takeBack'), chatId: id, messageId: id }),
  /** Has the model shorten the draft, which alone makes the request too long, and puts the user's own text back. */
  z.strictObject({ type: z.literal('shortenMessage'), chatId: id }),
  z.strictObject({ type: z.literal('takeOriginalBack'), chatId: id }),
  z.strictObject({ type: z.literal('stop'), chatId: id }),
  z.strictObject({ type: z.literal('newChat') }),
  z.strictObject({ type: z.literal('openChat'), chatId: id }),
  /** Searches messages; the answer is `searchResults`. It takes the place of the search before; an empty text only ends that one. */
  z.strictObject({ type: z.literal('searchChats'), text: searched, role: z.enum(PANEL_SEARCH_ROLES) }),
  /** Opens a chat at a message, and marks the text that was searched for. */
  z.strictObject({ type: z.literal('openMessage'), chatId: id, messageId: id, found: z.nullable(searched) }),
  /** Has a model write the title of a chat, ends that, or asks the user for one. */
  z.strictObject({ type: z.literal('generateTitle'), chatId: id }),
  z.strictObject({ type: z.literal('stopTitle'), chatId: id }),
  z.strictObject({ type: z.literal('askTitle'), chatId: id }),
  z.strictObject({ type: z.literal('renameChat'), chatId: id, title: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('deleteChat'), chatId: id }),
  z.strictObject({ type: z.literal('openInEditor'), chatId: id }),
  /** Asks the user for a file to export a chat to, or from where to import one. */
  z.strictObject({ type: z.literal('askExport'), chatId: id }),
  z.strictObject({ type: z.literal('askImport') }),
  /** Sent when the panel starts, and when the focus comes to it or leaves it. */
  z.strictObject({ type: z.literal('focusChanged'), isFocused: z.boolean() }),
  /** What is open in the panel, sent after each snapshot and each change: the host sends rows only for what is open. */
  z.strictObject({
    type: z.literal('showRows'),
    chips: z.boolean(),
    nextRequest: z.boolean(),
    contextUsed: z.array(id).check(z.maxLength(MOST_OPEN)),
    /** Null while the pane with the context of the chat is closed. */
    manager: z.nullable(
      z.strictObject({
        search: searched,
        open: z.array(z.enum(MANAGED_TYPES)).check(z.maxLength(MANAGED_TYPES.length)),
        servers: z.array(id).check(z.maxLength(MOST_OPEN_SERVERS)),
        proof: z.nullable(id),
      }),
    ),
  }),
  z.strictObject({ type: z.literal('showEarlier'), chatId: id }),
  z.strictObject({ type: z.literal('showLater'), chatId: id }),
  z.strictObject({ type: z.literal('showLatest'), chatId: id }),
  /** The chat checks the name and the value. */
  z.strictObject({ type: z.literal('changeSetting'), chatId: id, name: id, value: z.union([text, z.number(), z.null()]) }),
  z.strictObject({ type: z.literal('resetSettings'), chatId: id }),
  /** Makes the chat's settings those of new chats. */
  z.strictObject({ type: z.literal('useForNewChats'), chatId: id }),
  /** Opens the defaults of new chats in VS Code's settings. */
  z.strictObject({ type: z.literal('showDefaults') }),
  /** `key` is that of a chip. */
  z.strictObject({ type: z.literal('removeContext'), chatId: id, key: id }),
  /** `keys` are those of items. */
  z.strictObject({ type: z.literal('removeItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('removeAllContext'), chatId: id }),
  /** Adds items of the catalog by hand, or never: `keys` are those of their items. */
  z.strictObject({ type: z.literal('addCatalogItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('leaveOutItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  /** Adds all tools of a server to the chat, or takes them out. */
  z.strictObject({ type: z.literal('addServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('removeServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('addFiles'), chatId: id }),
  /** Asks what a mark with a text may name; the answers are `mentions`. */
  z.strictObject({ type: z.literal('findMentions'), chatId: id, mark: z.enum(MENTION_MARKS), text }),
  /** Adds what was named; `key` is that of its item. */
  z.strictObject({ type: z.literal('mention'), chatId: id, key: id }),
  /** Puts a prompt of a server into the draft, at a place by UTF-16 unit. */
  z.strictObject({ type: z.literal('usePrompt'), chatId: id, key: id, at: z.int().check(z.minimum(0)) }),
  /** Files dropped on the panel (with Shift held), as URIs. */
  z.strictObject({ type: z.literal('dropFiles'), chatId: id, uris: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('openContextItem'), chatId: id, key: id }),
  /** Shows what differs between the file of an item and that of another, by its path. */
  z.strictObject({ type: z.literal('compareItem'), chatId: id, key: id, source: id }),
  z.strictObject({ type: z.literal('retry'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('continue'), chatId: id }),
  /** As `continue`, with one request that may go over the caps of what is spent. */
  z.strictObject({ type: z.literal('goOnOnce'), chatId: id }),
  /** Whether a request that waits for the user may be sent. */
  z.strictObject({ type: z.literal('answerSpend'), chatId: id, questionId: id, isAllowed: z.boolean() }),
  /** Whether a call of a tool may run. The model is told the reason of a refusal. A server chose the call id, which may be empty. */
  z.strictObject({
    type: z.literal('answerCall'),
    chatId: id,
    callId: foreignId,
    scope: z.enum(APPROVAL_SCOPES),
    reason: z.nullable(z.string().check(z.maxLength(MAX_REASON_LENGTH))),
  }),
  z.strictObject({ type: z.literal('stopCall'), chatId: id, callId: foreignId }),
  /** The user no longer allows what a call had allowed beyond itself. */
  z.strictObject({ type: z.literal('takeBackApproval'), chatId: id, binding: id }),
  /** Whether a run goes on calling tools. */
  z.strictObject({ type: z.literal('answerSteps'), chatId: id, goesOn: z.boolean() }),
  /** Whether the files that tools wrote are restored when the edited message is sent, or a message answered anew. */
  z.strictObject({ type: z.literal('setRestoring'), chatId: id, isOn: z.boolean() }),
  /** Shows what restoring a file would change, or what an edit that waits for the user would. */
  z.strictObject({ type: z.literal('compareRestored'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('viewChange'), chatId: id, args: text }),
  /** Whether a message is answered anew that was asked about because of the files behind it. */
  z.strictObject({ type: z.literal('answerRetry'), chatId: id, goesOn: z.boolean() }),
  /** Shows or undoes what the tools of a round wrote in a file; `messageId` has the results of the round. */
  z.strictObject({ type: z.literal('showWritten'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('undoWritten'), chatId: id, messageId: id, path: id }),
  /** Shows what an edit was to change that was not made. */
  z.strictObject({ type: z.literal('showUnapplied'), chatId: id, callId: foreignId }),
  /** Shows how the tool that a call waits for was when the user allowed it, and how it is now. */
  z.strictObject({ type: z.literal('compareTool'), chatId: id, callId: foreignId }),
  z.strictObject({ type: z.literal('openSpendSettings') }),
  z.strictObject({ type: z.literal('beginEdit'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('cancelEdit'), chatId: id }),
  /** Asks for an image of a message that is in sight; the answer is `image`. `openImage` opens it in an editor. */
  z.strictObject({ type: z.literal('showImage'), chatId: id, blob: id, mimeType: z.enum(DRAWN_TYPES) }),
  z.strictObject({ type: z.literal('openImage'), chatId: id, blob: id, mimeType: z.enum(DRAWN_TYPES) }),
  /** Takes an image out of the draft; `blob` names it. */
  z.strictObject({ type: z.literal('removeImage'), chatId: id, blob: id }),
  z.strictObject({ type: z.literal('bringBack'), chatId: id, rewindId: id }),
  /** Returns to the branch `rewindId` as well, and stays at the message that is another one there. */
  z.strictObject({ type: z.literal('showVersion'), chatId: id, rewindId: id }),
  z.strictObject({ type: z.literal('fork'), chatId: id, messageId: id }),
  /** Replaces the conversation up to `upTo` by a summary; null replaces all of it. `upTo`, and `messageId` of pins, is a message or its entry. */
  z.strictObject({ type: z.literal('summarize'), chatId: id, upTo: z.nullable(id) }),
  /** Shows what a summary up to a message would replace; null for as far as the chat's settings want it. */
  z.strictObject({ type: z.literal('planSummary'), chatId: id, upTo: z.nullable(id) }),
  /** Has the summary on show written; `editSummary` shows the text of the one in use instead, by its entry. */
  z.strictObject({ type: z.literal('writeSummary'), chatId: id }),
  z.strictObject({ type: z.literal('editSummary'), chatId: id, summaryId: id }),
  /** Opens or closes what the list of a planned summary folds. */
  z.strictObject({ type: z.literal('openSummaryRows'), chatId: id, part: z.enum(['earlier', 'later']), isOpen: z.boolean() }),
  /** Leads back to the text that was there before `planSummary` moved its line. */
  z.strictObject({ type: z.literal('showSummaryText'), chatId: id }),
  /** What the user has made of the text, to be counted; `applySummary` uses it. */
  z.strictObject({ type: z.literal('summaryTyped'), chatId: id, text }),
  z.strictObject({ type: z.literal('applySummary'), chatId: id, text }),
  z.strictObject({ type: z.literal('cancelSummary'), chatId: id }),
  z.strictObject({ type: z.literal('dismissSummary'), chatId: id }),
  z.strictObject({ type: z.literal('undoSummary'), chatId: id }),
  /** Adds a fact that a summary lost to its text. `summaryId` is its entry. */
  z.strictObject({ type: z.literal('bringBackFact'), chatId: id, summaryId: id, fact: text }),
  z.strictObject({ type: z.literal('pin'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('unpin'), chatId: id, messageId: id }),
  /** `call` is the id of one tool call of a reply; null for all that the message stands for. */
  z.strictObject({ type: z.literal('exclude'), chatId: id, messageId: id, call: z.nullable(id), leaves: z.enum(['now', 'later']) }),
  z.strictObject({ type: z.literal('include'), chatId: id, messageId: id, call: z.nullable(id) }),
  z.strictObject({ type: z.literal('copy'), text }),
  z.strictObject({ type: z.literal('insertAtCursor'), text }),
  z.strictObject({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  z.strictObject({ type: z.literal('openLink'), href: id }),
  /** A file that a reply names, by workspace path; `line` from 1. */
  z.strictObject({ type: z.literal('openFile'), path: id, line: z.int().check(z.minimum(1)) }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
  /** Opens what is known of a model's size and prices, to set it. */
  z.strictObject({ type: z.literal('setModelLimit'), provider: id, model: id }),
  /** The focus has come to a reply: the Request Inspector may follow. */
  z.strictObject({ type: z.literal('selectReply'), chatId: id, messageId: id }),
  /** A server chose the call id, which may be empty. */
  z.strictObject({ type: z.literal('openResult'), chatId: id, messageId: id, callId: foreignId }),
  z.strictObject({ type: z.literal('previewNextRequest'), chatId: id }),
  z.strictObject({
    type: z.literal('bannerAction'),
    bannerId: id,
    action: z.enum(BANNER_ACTIONS),
    argument: foreignId,
  }),
  /** Opens the usage, with this chat marked. */
  z.strictObject({ type: z.literal('showUsage'), chatId: id }),
  z.strictObject({ type: z.literal('addProvider') }),
  z.strictObject({ type: z.literal('goToHint'), step: z.enum([...INTRODUCTION_STEPS, 'over']) }),
  /** For the provider of the chat's model. */
  z.strictObject({ type: z.literal('setApiKey'), chatId: id }),
  /** Changes how the agent of the chat has a rule, a reference, a skill, a tool or all tools of a server, for all its chats. */
  z.strictObject({ type: z.literal('changeInclude'), chatId: id, key: id, include: z.enum(AGENT_INCLUDES) }),
  /** Opens the file in which the folder has its servers, and makes it where there is none; or the user's own servers, in the settings. */
  z.strictObject({ type: z.literal('configureServers'), of: z.enum(['folder', 'user']) }),
  /** Opens a place where servers are configured; `line` from 1. */
  z.strictObject({ type: z.literal('openServers'), place: id, line: z.int().check(z.minimum(1)) }),
  z.strictObject({ type: z.literal('showServerLog'), server: id }),
  /** Starts a server, anew where it runs. One that was stopped starts again when it is needed. */
  z.strictObject({ type: z.literal('startToFind'), chatId: id, server: id, mark: z.enum(MENTION_MARKS), text }),
  z.strictObject({ type: z.literal('answerServer'), question: id, isAllowed: z.boolean() }),
  z.strictObject({ type: z.literal('sendWithoutServers'), chatId: id }),
  z.strictObject({ type: z.literal('restartServer'), server: id }),
  z.strictObject({ type: z.literal('stopServer'), server: id }),
  /** Makes a file for a rule, a reference or a skill, under a name that is asked for. */
  z.strictObject({ type: z.literal('newCatalogFile'), kind: z.enum(['rule', 'reference', 'skill']) }),
  /** Asks whether the folder is trusted. */
  z.strictObject({ type: z.literal('manageTrust') }),
  /** Whether a provider counts each next request: it then gets each draft. */
  z.strictObject({ type: z.literal('setProviderCount'), provider: id, isOn: z.boolean() }),
  z.strictObject({ type: z.literal('selectAgent'), chatId: id }),
  z.strictObject({ type: z.literal('selectModel'), chatId: id }),
]);

/** The messages from the chat panel to the host. */
export type ToHost = z.infer<typeof toHost>;

/** Parses what the chat panel posted; never throws. */
export function parseToHost(value: unknown): Parsed<ToHost> {
  return parse(toHost, value);
}
