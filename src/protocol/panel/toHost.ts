import * as z from 'zod/mini';
import { foreignId, id, parse, type ParseResult, VIEW_MESSAGES } from '../parse.js';
import { DRAWABLE_TYPES } from '../images.js';
import { PANEL_SEARCH_ROLES } from './search.js';
import { AGENT_INCLUDES, MANAGED_TYPES, MOST_OPEN_SERVERS } from './manager.js';
import { MENTION_MARKS } from './mentions.js';
import { BANNER_ACTIONS, INTRODUCTION_STEPS, MOST_OPEN } from './view.js';

/** Longest text that the panel may send: far longer than any prompt, far shorter than what would stall the host. */
export const MAX_TEXT_LENGTH = 4_000_000;

const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));

const MAX_SEARCH_LENGTH = 1_000;

const MAX_REASON_LENGTH = 2_000;

const APPROVAL_SCOPES = ['once', 'chat', 'always', 'refused'] as const;

const searched = z.string().check(z.maxLength(MAX_SEARCH_LENGTH));

const toHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  /** `edit` counts up from 1 after each start of the webview. The host's draft has the last number that it received. */
  z.strictObject({ type: z.literal('draft'), chatId: id, text, edit: z.int() }),
  z.strictObject({ type: z.literal('send'), chatId: id, text }),
  /** `messageId` is a queued message, also in `takeBack`. */
  z.strictObject({ type: z.literal('sendQueued'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('takeBack'), chatId: id, messageId: id }),
  /** Lets the model shorten a draft that is too long for a request. `takeOriginalBack` restores the user's text. */
  z.strictObject({ type: z.literal('shortenMessage'), chatId: id }),
  z.strictObject({ type: z.literal('takeOriginalBack'), chatId: id }),
  z.strictObject({ type: z.literal('stop'), chatId: id }),
  z.strictObject({ type: z.literal('newChat') }),
  z.strictObject({ type: z.literal('openChat'), chatId: id }),
  /** Searches messages. The response is `searchResults`. A new search replaces the previous one; empty text ends it. */
  z.strictObject({ type: z.literal('searchChats'), text: searched, role: z.enum(PANEL_SEARCH_ROLES) }),
  /** Opens a chat at a message and highlights the search text. */
  z.strictObject({ type: z.literal('openMessage'), chatId: id, messageId: id, found: z.nullable(searched) }),
  /** Lets a model write a title for the chat. `stopTitle` cancels that, and `askTitle` asks the user for a title. */
  z.strictObject({ type: z.literal('generateTitle'), chatId: id }),
  z.strictObject({ type: z.literal('stopTitle'), chatId: id }),
  z.strictObject({ type: z.literal('askTitle'), chatId: id }),
  z.strictObject({ type: z.literal('renameChat'), chatId: id, title: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('deleteChat'), chatId: id }),
  z.strictObject({ type: z.literal('openInEditor'), chatId: id }),
  /** Asks the user for a file to export a chat to, or to import a chat from. */
  z.strictObject({ type: z.literal('askExport'), chatId: id }),
  z.strictObject({ type: z.literal('askImport') }),
  /** Sent when the panel starts, and when it gets or loses focus. */
  z.strictObject({ type: z.literal('focusChanged'), isFocused: z.boolean() }),
  /** The expanded parts of the panel, sent after each snapshot and change. The host sends rows only for these. */
  z.strictObject({
    type: z.literal('showRows'),
    chips: z.boolean(),
    nextRequest: z.boolean(),
    contextUsed: z.array(id).check(z.maxLength(MOST_OPEN)),
    /** Null while the context pane is closed. */
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
  /** Makes the chat's settings the defaults of new chats. */
  z.strictObject({ type: z.literal('useForNewChats'), chatId: id }),
  /** Opens the defaults of new chats in VS Code's settings. */
  z.strictObject({ type: z.literal('showDefaults') }),
  /** `key` is that of a chip. */
  z.strictObject({ type: z.literal('removeContext'), chatId: id, key: id }),
  /** `keys` are those of items. */
  z.strictObject({ type: z.literal('removeItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('removeAllContext'), chatId: id }),
  /** Adds items of the catalog by hand. `leaveOutItems` removes them, and they are not picked again. */
  z.strictObject({ type: z.literal('addCatalogItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('leaveOutItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  /** Adds all tools of a server to the chat. `removeServer` removes them. */
  z.strictObject({ type: z.literal('addServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('removeServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('addFiles'), chatId: id }),
  /** Requests suggestions for a mark with a text. The responses are `mentions`. */
  z.strictObject({ type: z.literal('findMentions'), chatId: id, mark: z.enum(MENTION_MARKS), text }),
  z.strictObject({ type: z.literal('mention'), chatId: id, key: id }),
  /** Inserts a prompt of a server into the draft, at an index in UTF-16 units. */
  z.strictObject({ type: z.literal('usePrompt'), chatId: id, key: id, at: z.int().check(z.minimum(0)) }),
  /** Files dropped on the panel (with Shift), as URIs. */
  z.strictObject({ type: z.literal('dropFiles'), chatId: id, uris: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('openContextItem'), chatId: id, key: id }),
  /** Compares the file of an item with another one, given by its path. */
  z.strictObject({ type: z.literal('compareItem'), chatId: id, key: id, source: id }),
  z.strictObject({ type: z.literal('retry'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('continue'), chatId: id }),
  /** Like `continue`, but the next request may exceed the spend limits. */
  z.strictObject({ type: z.literal('goOnOnce'), chatId: id }),
  z.strictObject({ type: z.literal('answerSpend'), chatId: id, questionId: id, isAllowed: z.boolean() }),
  /** Answers whether a tool call may run. The model gets `reason`. `callId` may be empty, because a server chose it. */
  z.strictObject({
    type: z.literal('answerCall'),
    chatId: id,
    callId: foreignId,
    scope: z.enum(APPROVAL_SCOPES),
    reason: z.nullable(z.string().check(z.maxLength(MAX_REASON_LENGTH))),
  }),
  z.strictObject({ type: z.literal('stopCall'), chatId: id, callId: foreignId }),
  /** Revokes an approval of a call that also covered later calls. */
  z.strictObject({ type: z.literal('takeBackApproval'), chatId: id, binding: id }),
  /** Answers whether a run may continue calling tools. */
  z.strictObject({ type: z.literal('answerSteps'), chatId: id, goesOn: z.boolean() }),
  /** Whether files written by tools are restored when the edited message is sent, or a message is retried. */
  z.strictObject({ type: z.literal('setRestoring'), chatId: id, isOn: z.boolean() }),
  /** Shows what restoring a file would change. `viewChange` shows an edit that needs approval. */
  z.strictObject({ type: z.literal('compareRestored'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('viewChange'), chatId: id, args: text }),
  /** Answers whether to retry a message although tools wrote files after it. */
  z.strictObject({ type: z.literal('answerRetry'), chatId: id, goesOn: z.boolean() }),
  /** Shows what the tools of a step wrote in a file, or reverts it. `messageId` has the results of the step. */
  z.strictObject({ type: z.literal('showWritten'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('undoWritten'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('showUnapplied'), chatId: id, callId: foreignId }),
  /** Compares the tool of a waiting call with the version that the user allowed. */
  z.strictObject({ type: z.literal('compareTool'), chatId: id, callId: foreignId }),
  z.strictObject({ type: z.literal('openSpendSettings') }),
  z.strictObject({ type: z.literal('beginEdit'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('cancelEdit'), chatId: id }),
  /** Requests a visible image of a message. The response is `image`. `openImage` opens it in an editor. */
  z.strictObject({ type: z.literal('showImage'), chatId: id, blob: id, mimeType: z.enum(DRAWABLE_TYPES) }),
  z.strictObject({ type: z.literal('openImage'), chatId: id, blob: id, mimeType: z.enum(DRAWABLE_TYPES) }),
  z.strictObject({ type: z.literal('removeImage'), chatId: id, blob: id }),
  z.strictObject({ type: z.literal('bringBack'), chatId: id, rewindId: id }),
  /** Like `bringBack`, but stays at the message that differs on that branch. */
  z.strictObject({ type: z.literal('showVersion'), chatId: id, rewindId: id }),
  z.strictObject({ type: z.literal('fork'), chatId: id, messageId: id }),
  /** Replaces messages up to `upTo` (null: all) with a summary. `upTo` is a message or its entry, as in `pin`. */
  z.strictObject({ type: z.literal('summarize'), chatId: id, upTo: z.nullable(id) }),
  /** Shows what a summary up to a message would replace. Null: as far as the chat's settings say. */
  z.strictObject({ type: z.literal('planSummary'), chatId: id, upTo: z.nullable(id) }),
  /** Starts writing the planned summary. `editSummary` shows the text of the active one instead, by its entry. */
  z.strictObject({ type: z.literal('writeSummary'), chatId: id }),
  z.strictObject({ type: z.literal('editSummary'), chatId: id, summaryId: id }),
  /** Expands or collapses a group of messages in a planned summary. */
  z.strictObject({ type: z.literal('openSummaryRows'), chatId: id, part: z.enum(['earlier', 'later']), isOpen: z.boolean() }),
  /** Returns to the text that was there before `planSummary` moved the line. */
  z.strictObject({ type: z.literal('showSummaryText'), chatId: id }),
  /** The user's version of the text, to count its tokens. `applySummary` uses it. */
  z.strictObject({ type: z.literal('summaryTyped'), chatId: id, text }),
  z.strictObject({ type: z.literal('applySummary'), chatId: id, text }),
  z.strictObject({ type: z.literal('cancelSummary'), chatId: id }),
  z.strictObject({ type: z.literal('dismissSummary'), chatId: id }),
  z.strictObject({ type: z.literal('undoSummary'), chatId: id }),
  /** Adds a fact to the summary that lost it. `summaryId` is its entry. */
  z.strictObject({ type: z.literal('bringBackFact'), chatId: id, summaryId: id, fact: text }),
  z.strictObject({ type: z.literal('pin'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('unpin'), chatId: id, messageId: id }),
  /** `call` is the id of one tool call of a reply. Null: the turn, or all calls of the reply. */
  z.strictObject({ type: z.literal('exclude'), chatId: id, messageId: id, call: z.nullable(id), leaves: z.enum(['now', 'later']) }),
  z.strictObject({ type: z.literal('include'), chatId: id, messageId: id, call: z.nullable(id) }),
  z.strictObject({ type: z.literal('copy'), text }),
  z.strictObject({ type: z.literal('insertAtCursor'), text }),
  z.strictObject({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  z.strictObject({ type: z.literal('openLink'), href: id }),
  /** A file that a reply mentions, by workspace path. `line` counts from 1. */
  z.strictObject({ type: z.literal('openFile'), path: id, line: z.int().check(z.minimum(1)) }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
  /** Opens a model's size and prices to edit them. */
  z.strictObject({ type: z.literal('setModelLimit'), provider: id, model: id }),
  /** A reply got focus. The Request Inspector may follow it. */
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
  /** Opens *Usage* with this chat highlighted. */
  z.strictObject({ type: z.literal('showUsage'), chatId: id }),
  z.strictObject({ type: z.literal('addProvider') }),
  z.strictObject({ type: z.literal('goToHint'), step: z.enum([...INTRODUCTION_STEPS, 'over']) }),
  /** For the provider of the chat's model. */
  z.strictObject({ type: z.literal('setApiKey'), chatId: id }),
  /** Changes the include mode of an item, or of all tools of a server, for all chats of this chat's agent. */
  z.strictObject({ type: z.literal('changeInclude'), chatId: id, key: id, include: z.enum(AGENT_INCLUDES) }),
  /** `folder`: opens the folder's file for servers, or creates it. `user`: opens the user's servers in the settings. */
  z.strictObject({ type: z.literal('configureServers'), of: z.enum(['folder', 'user']) }),
  /** Opens a place where servers are configured. `line` counts from 1. */
  z.strictObject({ type: z.literal('openServers'), place: id, line: z.int().check(z.minimum(1)) }),
  z.strictObject({ type: z.literal('showServerLog'), server: id }),
  /** Starts a server, or restarts it. A stopped server starts again when it is needed. */
  z.strictObject({ type: z.literal('startToFind'), chatId: id, server: id, mark: z.enum(MENTION_MARKS), text }),
  z.strictObject({ type: z.literal('answerServer'), question: id, isAllowed: z.boolean() }),
  z.strictObject({ type: z.literal('sendWithoutServers'), chatId: id }),
  z.strictObject({ type: z.literal('restartServer'), server: id }),
  z.strictObject({ type: z.literal('stopServer'), server: id }),
  /** Creates a file for a rule, reference or skill. The user is asked for a name. */
  z.strictObject({ type: z.literal('newCatalogFile'), kind: z.enum(['rule', 'reference', 'skill']) }),
  z.strictObject({ type: z.literal('manageTrust') }),
  /** Whether a provider counts each next request. It then receives each draft. */
  z.strictObject({ type: z.literal('setProviderCount'), provider: id, isOn: z.boolean() }),
  z.strictObject({ type: z.literal('selectAgent'), chatId: id }),
  z.strictObject({ type: z.literal('selectModel'), chatId: id }),
]);

export type ToHost = z.infer<typeof toHost>;

/** Parses a message of the chat panel. Never throws. */
export function parseToHost(value: unknown): ParseResult<ToHost> {
  return parse(toHost, value);
}
