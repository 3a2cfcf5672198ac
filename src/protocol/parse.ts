import * as z from 'zod/mini';
import { MAX_REASON_LENGTH } from './viewState.js';

/* Checks every message of a webview against a schema. Limits protect the host's memory from a faulty webview. */

export type ParseResult<Message> = { readonly ok: true; readonly message: Message } | { readonly ok: false; readonly reason: string };

const MAX_ID_LENGTH = 4_096;

export const id = z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH));
/** An id that another program chose. It may be empty. */
export const foreignId = z.string().check(z.maxLength(MAX_ID_LENGTH));

/** Number of queries that the user has asked in a view. A state with a lower number does not answer the latest one. */
export const asked = z.int().check(z.minimum(0));

export const VIEW_MESSAGES = [
  z.strictObject({ type: z.literal('ready') }),
  /** The webview missed a delta, or a delta did not fit, so it requests a snapshot. The host logs `reason`. */
  z.strictObject({ type: z.literal('resync'), reason: z.string().check(z.maxLength(MAX_REASON_LENGTH)) }),
  z.strictObject({ type: z.literal('showLog') }),
  /** An error inside the webview, which the host writes to the log. */
  z.strictObject({ type: z.literal('webviewError'), message: z.string().check(z.maxLength(20_000)) }),
] as const;

/** Parses a message from a webview. Never throws. */
export function parse<Message>(schema: z.ZodMiniType<Message>, value: unknown): ParseResult<Message> {
  const result = z.safeParse(schema, value);
  return result.success
    ? { ok: true, message: result.data }
    : { ok: false, reason: result.error.issues.map(issueText).join('; ').slice(0, MAX_REASON_LENGTH) };
}

/** Describes a schema issue for the log by place and code, because zod/mini has no texts without a locale. */
function issueText(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? 'the message' : issue.path.map(String).join('.');
  return issue.code === 'unrecognized_keys' ? `${place}: unknown member ${issue.keys.join(', ')}` : `${place}: ${issue.code}`;
}
