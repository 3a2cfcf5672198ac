import * as z from 'zod/mini';
import { foreignId, id, parse, type ParseResult, VIEW_MESSAGES } from '../parse.js';
import { LIMIT_MESSAGES } from '../limits.js';
import { DRAWABLE_TYPES, MOST_ADDED_BYTES, MOST_ADDED_IMAGES } from '../images.js';
import { CHAT_COMMANDS } from './chatCommands.js';
import { MENTION_MARKS, MOST_FOUND_PATHS, PANEL_SEARCH_ROLES } from './toWebview.js';
import { AGENT_INCLUDES, OFF_CHOICES, MANAGED_TYPES, MOST_OPEN_SERVERS } from './manager.js';
import { BANNER_ACTIONS, INTRODUCTION_STEPS, MOST_OPEN } from './view.js';

/** Maximum length of a text from the panel: much longer than any prompt, but not too long for the host. */
export const MAX_TEXT_LENGTH = 4_000_000;

const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));

const imageBytes = z.instanceof(Uint8Array).check(z.refine(({ length }) => length <= MOST_ADDED_BYTES));

const MAX_SEARCH_LENGTH = 1_000;

/** Maximum length of the address of a web page. Servers accept at most about 8,000 characters. */
const LONGEST_ADDRESS = 8_192;

const MAX_REASON_LENGTH = 2_000;

const APPROVAL_SCOPES = ['once', 'turn', 'chat', 'always', 'every', 'refused'] as const;

const searched = z.string().check(z.maxLength(MAX_SEARCH_LENGTH));

const toHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  ...LIMIT_MESSAGES,
  /**
   * The user changed the draft. `edit` numbers these messages, from 1 in each webview. `DraftView.edit` is the last
   * number that the host received.
   */
  z.strictObject({ type: z.literal('draft'), chatId: id, text, edit: z.int() }),
  z.strictObject({ type: z.literal('send'), chatId: id, text }),
  /** Sends a queued message now. `messageId` is the id of the queued message, also in `takeBack`. */
  z.strictObject({ type: z.literal('sendQueued'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('takeBack'), chatId: id, messageId: id }),
  /** Asks the model to shorten a draft that is too long for a request. `takeOriginalBack` restores the user's text. */
  z.strictObject({ type: z.literal('shortenMessage'), chatId: id }),
  z.strictObject({ type: z.literal('takeOriginalBack'), chatId: id }),
  z.strictObject({ type: z.literal('stop'), chatId: id }),
  z.strictObject({ type: z.literal('newChat') }),
  z.strictObject({ type: z.literal('openChat'), chatId: id }),
  /** Searches messages. The response is `searchResults`. A new search or an empty text ends the previous search. */
  z.strictObject({ type: z.literal('searchChats'), text: searched, role: z.enum(PANEL_SEARCH_ROLES) }),
  /** Opens a chat at a message and highlights the search text. */
  z.strictObject({ type: z.literal('openMessage'), chatId: id, messageId: id, found: z.nullable(searched) }),
  /** Asks a model for a title of the chat. `stopTitle` cancels this. With `askTitle`, the user enters a title. */
  z.strictObject({ type: z.literal('generateTitle'), chatId: id }),
  z.strictObject({ type: z.literal('stopTitle'), chatId: id }),
  z.strictObject({ type: z.literal('askTitle'), chatId: id }),
  z.strictObject({ type: z.literal('renameChat'), chatId: id, title: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('deleteChat'), chatId: id }),
  z.strictObject({ type: z.literal('openInEditor'), chatId: id }),
  /** Exports a chat to a file that the user selects. `askImport` imports a chat from such a file. */
  z.strictObject({ type: z.literal('askExport'), chatId: id }),
  z.strictObject({ type: z.literal('askImport') }),
  /** Sent when the panel starts, and when the panel gets or loses focus. */
  z.strictObject({ type: z.literal('focusChanged'), isFocused: z.boolean() }),
  /** The expanded parts of the panel, sent after each snapshot and change. The host sends rows only for these parts. */
  z.strictObject({
    type: z.literal('showRows'),
    chips: z.boolean(),
    nextRequest: z.boolean(),
    contextUsed: z.array(id).check(z.maxLength(MOST_OPEN)),
    /** The visible part of the context pane. Null while the pane is closed. */
    manager: z.nullable(
      z.strictObject({
        search: searched,
        open: z.array(z.enum(MANAGED_TYPES)).check(z.maxLength(MANAGED_TYPES.length)),
        servers: z.array(id).check(z.maxLength(MOST_OPEN_SERVERS)),
        proof: z.nullable(id),
        rows: z.record(id, z.int().check(z.minimum(0))),
      }),
    ),
  }),
  z.strictObject({ type: z.literal('showEarlier'), chatId: id }),
  z.strictObject({ type: z.literal('showLater'), chatId: id }),
  z.strictObject({ type: z.literal('showLatest'), chatId: id }),
  /** Changes a setting of the chat. The host checks the name and the value. */
  z.strictObject({ type: z.literal('changeSetting'), chatId: id, name: id, value: z.union([text, z.number(), z.null()]) }),
  z.strictObject({ type: z.literal('resetSettings'), chatId: id }),
  /** Makes the chat's settings the defaults of new chats. */
  z.strictObject({ type: z.literal('useForNewChats'), chatId: id }),
  /** Opens the defaults of new chats in VS Code's settings. */
  z.strictObject({ type: z.literal('showDefaults') }),
  /** Removes an item or a folder of items. `key` is the key of the chip. */
  z.strictObject({ type: z.literal('removeContext'), chatId: id, key: id }),
  /** Removes several items. `keys` are the keys of the items. */
  z.strictObject({ type: z.literal('removeItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  /** Removes rules that repeat others. `all`: turns them off for the agent of the chat, otherwise for all chats. */
  z.strictObject({
    type: z.literal('omitRepeats'),
    chatId: id,
    keys: z.array(id).check(z.maxLength(1_000)),
    from: z.enum(['chat', 'all']),
  }),
  z.strictObject({ type: z.literal('removeAllContext'), chatId: id }),
  /** Adds items of the catalog to the chat. `leaveOutItems` removes them, and Loupe does not select them again. */
  z.strictObject({ type: z.literal('addCatalogItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('leaveOutItems'), chatId: id, keys: z.array(id).check(z.maxLength(1_000)) }),
  /** Adds all tools of an MCP server to the chat. `removeServer` removes them. */
  z.strictObject({ type: z.literal('addServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('removeServer'), chatId: id, server: id }),
  z.strictObject({ type: z.literal('addFiles'), chatId: id }),
  /** The panel begins to read the images of a paste or drop. Sending the draft waits for `addImages`. */
  z.strictObject({ type: z.literal('readingImages'), chatId: id }),
  /**
   * Adds the images of a paste or drop to the draft. `notAdded`: a sentence for each file that the panel did not read.
   * `pickImages` opens VS Code's file dialog.
   */
  z.strictObject({
    type: z.literal('addImages'),
    chatId: id,
    images: z.array(z.strictObject({ name: id, bytes: imageBytes })).check(z.maxLength(MOST_ADDED_IMAGES)),
    notAdded: z.array(id).check(z.maxLength(1_000)),
  }),
  z.strictObject({ type: z.literal('pickImages'), chatId: id }),
  /** Requests an image of the draft, to scale it down. The response is `imageToScale`. */
  z.strictObject({ type: z.literal('scaleImage'), chatId: id, blob: id, mimeType: z.enum(DRAWABLE_TYPES) }),
  /** Replaces an image of the draft by a smaller one. */
  z.strictObject({ type: z.literal('replaceImage'), chatId: id, blob: id, bytes: imageBytes }),
  // `address`: null to ask the user for the address.
  z.strictObject({ type: z.literal('addPage'), chatId: id, address: z.nullable(z.string().check(z.maxLength(LONGEST_ADDRESS))) }),
  /** Requests suggestions for `@` or `/` with the text after it. The response is `mentions`. */
  z.strictObject({ type: z.literal('findMentions'), chatId: id, mark: z.enum(MENTION_MARKS), text }),
  z.strictObject({ type: z.literal('mention'), chatId: id, key: id }),
  /** Inserts a prompt of an MCP server into the draft. `at` is the place in UTF-16 units. */
  z.strictObject({ type: z.literal('usePrompt'), chatId: id, key: id, at: z.int().check(z.minimum(0)) }),
  /** Runs a command of the chat that the user chose after `/`. `text`: the text after the command, or empty. */
  z.strictObject({ type: z.literal('chatCommand'), chatId: id, command: z.enum(CHAT_COMMANDS), text }),
  /** Adds files that the user dropped on the panel (with Shift), as URIs. */
  z.strictObject({ type: z.literal('dropFiles'), chatId: id, uris: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('openContextItem'), chatId: id, key: id }),
  /** Compares the file of an item with another file. `source` is the path of the other file. */
  z.strictObject({ type: z.literal('compareItem'), chatId: id, key: id, source: id }),
  z.strictObject({ type: z.literal('retry'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('continue'), chatId: id }),
  /** Keeps the text of a reply that broke off, so that later requests contain it. */
  z.strictObject({ type: z.literal('keepReply'), chatId: id }),
  /** Like `continue`, but the next request may exceed the spend limits. */
  z.strictObject({ type: z.literal('goOnOnce'), chatId: id }),
  /** Excludes the tool that the server has refused from the chat, and then goes on with the failed run. */
  z.strictObject({ type: z.literal('excludeTool'), chatId: id }),
  /** Asks the user for the key of the provider that refused the last request, and then goes on with the failed run. */
  z.strictObject({ type: z.literal('setKeyAndRetry'), chatId: id }),
  /** Opens the wizard with the provider of the last request. */
  z.strictObject({ type: z.literal('editProvider'), chatId: id }),
  z.strictObject({ type: z.literal('showChatSettings') }),
  z.strictObject({ type: z.literal('answerSpend'), chatId: id, questionId: id, isAllowed: z.boolean() }),
  /**
   * The user's answer whether a tool call may run. `every`: every command may run in all chats. The model gets
   * `reason`. A server may choose an empty `callId`.
   */
  z.strictObject({
    type: z.literal('answerCall'),
    chatId: id,
    callId: foreignId,
    scope: z.enum(APPROVAL_SCOPES),
    reason: z.nullable(z.string().check(z.maxLength(MAX_REASON_LENGTH))),
  }),
  z.strictObject({ type: z.literal('stopCall'), chatId: id, callId: foreignId }),
  /** Takes back what the user allowed for later calls. */
  z.strictObject({ type: z.literal('takeBackApproval'), chatId: id, binding: id }),
  /** The user's answer whether a run may continue calling tools. */
  z.strictObject({ type: z.literal('answerSteps'), chatId: id, goesOn: z.boolean() }),
  /** Whether Loupe restores files that tools wrote, when the user sends the edited message or retries a message. */
  z.strictObject({ type: z.literal('setRestoring'), chatId: id, isOn: z.boolean() }),
  /** Shows what a restore would change in a file. `viewChange` shows a tool's edit before the user approves it. */
  z.strictObject({ type: z.literal('compareRestored'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('viewChange'), chatId: id, args: text }),
  /** The user's answer whether to retry a message although tools wrote files after that message. */
  z.strictObject({ type: z.literal('answerRetry'), chatId: id, goesOn: z.boolean() }),
  /** Shows what tools wrote in a file. `undoWritten` undoes it. `messageId`: the message with the step's results. */
  z.strictObject({ type: z.literal('showWritten'), chatId: id, messageId: id, path: id }),
  z.strictObject({ type: z.literal('undoWritten'), chatId: id, messageId: id, path: id }),
  /** Shows what tools wrote in all files of a turn. `undoTurn` undoes it. `messageId`: the turn's user message. */
  z.strictObject({ type: z.literal('showTurnChange'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('undoTurn'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('showUnapplied'), chatId: id, callId: foreignId }),
  /** Compares the tool of a waiting call with the version of the tool that the user allowed. */
  z.strictObject({ type: z.literal('compareTool'), chatId: id, callId: foreignId }),
  z.strictObject({ type: z.literal('beginEdit'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('cancelEdit'), chatId: id }),
  /** Requests a visible image of a message. The response is `image`. `openImage` opens the image in an editor. */
  z.strictObject({ type: z.literal('showImage'), chatId: id, blob: id, mimeType: z.enum(DRAWABLE_TYPES) }),
  z.strictObject({ type: z.literal('openImage'), chatId: id, blob: id, mimeType: z.enum(DRAWABLE_TYPES) }),
  /** Removes something that goes with the message in the message box only. `key` is the key of its row. */
  z.strictObject({ type: z.literal('removeWithMessage'), chatId: id, key: id }),
  z.strictObject({ type: z.literal('bringBack'), chatId: id, rewindId: id }),
  /** Like `bringBack`, but the panel stays at the message that differs on the restored branch. */
  z.strictObject({ type: z.literal('showVersion'), chatId: id, rewindId: id }),
  z.strictObject({ type: z.literal('fork'), chatId: id, messageId: id }),
  /** Replaces messages up to `upTo` (null: all) with a summary. `upTo` is the id of a message or entry, as in `pin`. */
  z.strictObject({ type: z.literal('summarize'), chatId: id, upTo: z.nullable(id) }),
  /** Shows what a summary up to a message would replace. Null: the chat's settings decide. */
  z.strictObject({ type: z.literal('planSummary'), chatId: id, upTo: z.nullable(id) }),
  /** Starts writing the planned summary. `editSummary` shows the text of an active summary, by its entry. */
  z.strictObject({ type: z.literal('writeSummary'), chatId: id }),
  z.strictObject({ type: z.literal('editSummary'), chatId: id, summaryId: id }),
  /** Expands or collapses a group of messages in a planned summary. */
  z.strictObject({ type: z.literal('openSummaryRows'), chatId: id, part: z.enum(['earlier', 'later']), isOpen: z.boolean() }),
  /** Shows the written summary again, after `planSummary` has shown another plan. */
  z.strictObject({ type: z.literal('showSummaryText'), chatId: id }),
  /** The user's edited text of the summary, to count its tokens. `applySummary` uses a text as the summary. */
  z.strictObject({ type: z.literal('summaryTyped'), chatId: id, text }),
  z.strictObject({ type: z.literal('applySummary'), chatId: id, text }),
  z.strictObject({ type: z.literal('cancelSummary'), chatId: id }),
  z.strictObject({ type: z.literal('dismissSummary'), chatId: id }),
  z.strictObject({ type: z.literal('undoSummary'), chatId: id }),
  /** The user's answers to the offer before the cache of an idle chat expires. `leaveIdle` also ends the keeping. */
  z.strictObject({ type: z.literal('chooseIdle'), chatId: id, action: z.enum(['summarize', 'keepWarm']) }),
  z.strictObject({ type: z.literal('leaveIdle'), chatId: id }),
  /** Summarizes a chat whose cache has expired, and then sends the draft if it still has this text. */
  z.strictObject({ type: z.literal('summarizeFirst'), chatId: id, text }),
  /** Adds a fact to the summary that lost this fact. `summaryId` is the entry of the summary. */
  z.strictObject({ type: z.literal('bringBackFact'), chatId: id, summaryId: id, fact: text }),
  z.strictObject({ type: z.literal('pin'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('unpin'), chatId: id, messageId: id }),
  /** Excludes one tool call by its id. If `call` is null, excludes the turn, or all calls of the reply. */
  z.strictObject({ type: z.literal('exclude'), chatId: id, messageId: id, call: z.nullable(id), leaves: z.enum(['now', 'later']) }),
  z.strictObject({ type: z.literal('include'), chatId: id, messageId: id, call: z.nullable(id) }),
  z.strictObject({ type: z.literal('copy'), text }),
  z.strictObject({ type: z.literal('insertAtCursor'), text }),
  z.strictObject({ type: z.literal('applyCode'), path: z.string().check(z.maxLength(1_000)), text }),
  z.strictObject({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  z.strictObject({ type: z.literal('openLink'), href: id }),
  /** Opens a file that a reply mentions. `path` is relative to the workspace. `line` counts from 1. */
  z.strictObject({ type: z.literal('openFile'), path: id, line: z.int().check(z.minimum(1)) }),
  /** Asks which paths are files of the workspace. The response is `pathsFound`. */
  z.strictObject({ type: z.literal('findPaths'), paths: z.array(id).check(z.maxLength(MOST_FOUND_PATHS)) }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('showPrices') }),
  /** Opens the limits and prices of a model, so that the user can edit them. */
  z.strictObject({ type: z.literal('setModelLimit'), provider: id, model: id }),
  /** The user moved the focus to a reply. An open Request Inspector can then show the request of this reply. */
  z.strictObject({ type: z.literal('selectReply'), chatId: id, messageId: id }),
  /** Opens a tool result. `callId` may be empty, because a server chose it. */
  z.strictObject({ type: z.literal('openResult'), chatId: id, messageId: id, callId: foreignId }),
  z.strictObject({ type: z.literal('previewNextRequest'), chatId: id }),
  z.strictObject({
    type: z.literal('bannerAction'),
    bannerId: id,
    action: z.enum(BANNER_ACTIONS),
    argument: foreignId,
  }),
  /** Opens *Usage* with only the requests of this chat. */
  z.strictObject({ type: z.literal('showUsage'), chatId: id }),
  /** Asks for the cost of all chats today and this week. The response is `spentSums`. */
  z.strictObject({ type: z.literal('sumSpending') }),
  z.strictObject({ type: z.literal('addProvider') }),
  z.strictObject({ type: z.literal('goToHint'), step: z.enum([...INTRODUCTION_STEPS, 'over']) }),
  /** Sets the API key for the provider of the chat's model. */
  z.strictObject({ type: z.literal('setApiKey'), chatId: id }),
  /** Changes the include mode of an item, or of all tools of an MCP server, in all chats that use this chat's agent. */
  z.strictObject({ type: z.literal('changeInclude'), chatId: id, key: id, include: z.enum(AGENT_INCLUDES) }),
  /** Switches an item, or all tools of an MCP server, off in one place and on in all others. `on`: on everywhere. */
  z.strictObject({ type: z.literal('switchItem'), chatId: id, key: id, to: z.enum([...OFF_CHOICES, 'on']) }),
  /** Opens the configuration of MCP servers. `folder`: the folder's file, created if missing. `user`: the settings. */
  z.strictObject({ type: z.literal('configureServers'), of: z.enum(['folder', 'user']) }),
  /** Opens a file in which MCP servers are configured. `line` counts from 1. */
  z.strictObject({ type: z.literal('openServers'), place: id, line: z.int().check(z.minimum(1)) }),
  z.strictObject({ type: z.literal('showServerLog'), server: id }),
  /**
   * Starts an MCP server, or signs the user in to it, and finds suggestions in it. After `stopServer`, Loupe starts a
   * server again when needed.
   */
  z.strictObject({ type: z.literal('startToFind'), chatId: id, server: id, mark: z.enum(MENTION_MARKS), text }),
  z.strictObject({ type: z.literal('answerServer'), question: id, isAllowed: z.boolean() }),
  z.strictObject({ type: z.literal('sendWithoutServers'), chatId: id }),
  z.strictObject({ type: z.literal('restartServer'), server: id }),
  z.strictObject({ type: z.literal('stopServer'), server: id }),
  /** Signs the user in to an MCP server with the browser, and starts the server again. */
  z.strictObject({ type: z.literal('signInServer'), server: id }),
  z.strictObject({ type: z.literal('signOutServer'), server: id }),
  /** Creates a file for a rule, reference or skill. The host asks the user for a name. */
  z.strictObject({ type: z.literal('newCatalogFile'), kind: z.enum(['rule', 'reference', 'skill']) }),
  /** Creates a session file. The host asks the user for a name. */
  z.strictObject({ type: z.literal('newSessionFile'), chatId: id }),
  z.strictObject({ type: z.literal('openSessionFile'), chatId: id, name: id }),
  z.strictObject({ type: z.literal('deleteSessionFile'), chatId: id, name: id }),
  /** Restores the version before the last change or the deletion of a session file. */
  z.strictObject({ type: z.literal('restoreSessionFile'), chatId: id, name: id }),
  /** Creates or changes a custom fragment of the system prompt. */
  z.strictObject({ type: z.literal('setFragment'), chatId: id, id, text }),
  z.strictObject({ type: z.literal('removeFragment'), chatId: id, id }),
  z.strictObject({ type: z.literal('manageTrust') }),
  /** Whether a provider counts the tokens of each next request. The provider then receives each draft. */
  z.strictObject({ type: z.literal('setProviderCount'), provider: id, isOn: z.boolean() }),
  z.strictObject({ type: z.literal('selectAgent'), chatId: id }),
  z.strictObject({ type: z.literal('selectModel'), chatId: id }),
]);

export type ToHost = z.infer<typeof toHost>;

/** Parses a message of the chat panel. Never throws. */
export function parseToHost(value: unknown): ParseResult<ToHost> {
  return parse(toHost, value);
}
