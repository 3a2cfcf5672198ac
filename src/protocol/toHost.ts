import * as z from 'zod/mini';
import { BANNER_ACTIONS, MOST_OPEN } from './view.js';

/*
 * Webview to host. Everything that arrives is parsed with this schema first; what does not fit is logged and
 * dropped. Limits keep a runaway webview from filling the host's memory.
 */

/** Longest text the panel may send: far above any prompt a model takes, far below what would stall the host. */
export const MAX_TEXT_LENGTH = 4_000_000;
const MAX_ID_LENGTH = 4_096;
/** Enough to find the mistake, whatever was posted. */
const MAX_REASON_LENGTH = 1_000;

const id = z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH));
const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));

const toHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('resync') }),
  /** The webview numbers its edits from 1 in each life; the draft echoes the last one the host has seen. */
  z.strictObject({ type: z.literal('draft'), chatId: id, text, edit: z.int() }),
  z.strictObject({ type: z.literal('send'), chatId: id, text }),
  /** About a message that waits to be sent. */
  z.strictObject({ type: z.literal('sendQueued'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('takeBack'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('stop'), chatId: id }),
  z.strictObject({ type: z.literal('newChat') }),
  z.strictObject({ type: z.literal('openChat'), chatId: id }),
  z.strictObject({ type: z.literal('renameChat'), chatId: id, title: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('deleteChat'), chatId: id }),
  /** What is open in the panel, after each snapshot and whenever it is something else: only of that the rows are sent. */
  z.strictObject({
    type: z.literal('showRows'),
    chips: z.boolean(),
    nextRequest: z.boolean(),
    contextUsed: z.array(id).check(z.maxLength(MOST_OPEN)),
  }),
  z.strictObject({ type: z.literal('showEarlier'), chatId: id }),
  z.strictObject({ type: z.literal('showLater'), chatId: id }),
  z.strictObject({ type: z.literal('showLatest'), chatId: id }),
  /** Which settings there are, and which values they take, is for the chat to say. */
  z.strictObject({ type: z.literal('changeSetting'), chatId: id, name: id, value: z.union([text, z.number(), z.null()]) }),
  z.strictObject({ type: z.literal('removeContext'), chatId: id, key: id }),
  z.strictObject({ type: z.literal('addFiles'), chatId: id }),
  /** Files dropped on the panel (with Shift held), as URIs. */
  z.strictObject({ type: z.literal('dropFiles'), chatId: id, uris: z.array(id).check(z.maxLength(1_000)) }),
  z.strictObject({ type: z.literal('openContextItem'), chatId: id, key: id }),
  z.strictObject({ type: z.literal('retry'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('continue'), chatId: id }),
  z.strictObject({ type: z.literal('beginEdit'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('cancelEdit'), chatId: id }),
  z.strictObject({ type: z.literal('bringBack'), chatId: id, rewindId: id }),
  z.strictObject({ type: z.literal('fork'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('copy'), text }),
  z.strictObject({ type: z.literal('insertAtCursor'), text }),
  z.strictObject({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  z.strictObject({ type: z.literal('openLink'), href: id }),
  z.strictObject({ type: z.literal('showRequest'), chatId: id, messageId: id }),
  /** Servers give call ids of all kinds, also empty ones. */
  z.strictObject({ type: z.literal('openResult'), chatId: id, messageId: id, callId: z.string().check(z.maxLength(MAX_ID_LENGTH)) }),
  z.strictObject({ type: z.literal('previewNextRequest'), chatId: id }),
  z.strictObject({
    type: z.literal('bannerAction'),
    bannerId: id,
    action: z.enum(BANNER_ACTIONS),
    argument: z.string().check(z.maxLength(MAX_ID_LENGTH)),
  }),
  z.strictObject({ type: z.literal('showLog') }),
  z.strictObject({ type: z.literal('addProvider') }),
  /** For the provider of the chat's model. */
  z.strictObject({ type: z.literal('setApiKey'), chatId: id }),
  z.strictObject({ type: z.literal('selectModel'), chatId: id }),
  /** A failure inside the webview, for the log channel. */
  z.strictObject({ type: z.literal('webviewError'), message: z.string().check(z.maxLength(20_000)) }),
]);

export type ToHost = z.infer<typeof toHost>;

export type ParsedToHost = { readonly ok: true; readonly message: ToHost } | { readonly ok: false; readonly reason: string };

/** Parses what a webview posted; never throws. */
export function parseToHost(value: unknown): ParsedToHost {
  const result = z.safeParse(toHost, value);
  return result.success
    ? { ok: true, message: result.data }
    : { ok: false, reason: result.error.issues.map(issueText).join('; ').slice(0, MAX_REASON_LENGTH) };
}

/** What did not fit and where, for the log: zod/mini has no texts of its own (they would come in all languages). */
function issueText(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? 'the message' : issue.path.map(String).join('.');
  return issue.code === 'unrecognized_keys' ? `${place}: unknown member ${issue.keys.join(', ')}` : `${place}: ${issue.code}`;
}
