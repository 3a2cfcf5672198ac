import { CHAT_FAILURES } from './chat.js';
import { ACTIONS_BY_KIND, type CauseAction, type FailureAction, type FailureEntry } from './entry.js';
import { FILE_FAILURES } from './files.js';
import { CONNECTION_FAILURES, HTTP_FAILURES } from './http.js';
import { MCP_FAILURES } from './mcp.js';
import { LANGUAGE_MODEL_FAILURES, MODEL_FAILURES } from './models.js';
import { PAGE_FAILURES } from './pages.js';
import { PRACTICE_FAILURES } from './practice.js';
import { PROVIDER_FAILURES } from './provider.js';
import { RUN_FAILURES } from './run.js';
import { STORAGE_FAILURES } from './storage.js';

/** All expected failures by code. */
export const FAILURES = {
  ...CHAT_FAILURES,
  ...RUN_FAILURES,
  ...STORAGE_FAILURES,
  ...FILE_FAILURES,
  ...PROVIDER_FAILURES,
  ...HTTP_FAILURES,
  ...CONNECTION_FAILURES,
  ...MODEL_FAILURES,
  ...LANGUAGE_MODEL_FAILURES,
  ...PRACTICE_FAILURES,
  ...MCP_FAILURES,
  ...PAGE_FAILURES,
} as const satisfies Readonly<Record<string, FailureEntry>>;

export type FailureCode = keyof typeof FAILURES;

type SentenceOf<C extends FailureCode> = (typeof FAILURES)[C]['says'];

/** The parameters of a code's sentence; `never` for a sentence without parameters. */
export type FailureParameters<C extends FailureCode> = SentenceOf<C> extends (parameters: infer P) => string ? P : never;

/** Returns what the user can do in Loupe against the cause. Empty for a code of another version of Loupe. */
export function failureActions(code: string): readonly CauseAction[] {
  return entryOf(code)?.actions ?? [];
}

/** Returns what the user can do after a reply failed, the most helpful action first. */
export function replyActions(code: string): readonly FailureAction[] {
  const entry = entryOf(code);
  return entry === undefined ? ['retry'] : [...new Set([...(entry.actions ?? []), ...ACTIONS_BY_KIND[entry.kind]])];
}

/** Returns what the user can do outside Loupe, in whole sentences. Empty when no help is known. */
export function failureHelp(code: string): readonly string[] {
  const help = entryOf(code)?.help;
  return help === undefined ? [] : [help];
}

function entryOf(code: string): FailureEntry | undefined {
  const entries: Readonly<Record<string, FailureEntry>> = FAILURES;
  return Object.hasOwn(entries, code) ? entries[code] : undefined;
}
