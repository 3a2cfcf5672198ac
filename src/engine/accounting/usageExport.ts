import type { Json, JsonObject } from '../json.js';
import { requestsOf } from '../chat/ledger.js';
import { HELD_CATEGORIES, HELD_TYPES, type RequestHeld } from './requestHeld.js';
import type { Figure } from '../model/usage.js';
import { NO_CHAT, type UsedAttempt } from './usedAttempt.js';

/** Details of an exported attempt in addition to its row. */
export interface ExportWords {
  /** Start of the attempt in ISO 8601. */
  readonly when: string;
  /** The title of the chat; null for a deleted chat. */
  readonly chat: string | null;
  readonly held: RequestHeld | null;
}

/** The columns of an export: raw ids, every figure with its source, and cache writes by lifetime. */
const COLUMNS: Readonly<Record<string, (attempt: UsedAttempt, words: ExportWords) => Json>> = {
  when: (_, { when }) => when,
  chat_id: ({ chatId }) => (chatId === NO_CHAT ? null : chatId),
  chat: (_, { chat }) => chat,
  attempt_id: ({ row }) => row.id,
  purpose: ({ row }) => row.purpose,
  requests: ({ row }) => requestsOf(row),
  is_retry: ({ row }) => row.isRetry === true,
  is_discarded: ({ row }) => row.isDiscarded,
  provider: ({ row }) => row.model.provider,
  model: ({ row }) => row.model.model,
  ...figure('fresh_tokens', ({ row }) => row.usage?.promptTokens),
  ...figure('cached_tokens', ({ row }) => row.usage?.cacheReadInputTokens),
  ...figure('written_tokens', ({ row }) => row.usage?.cacheCreationInputTokens),
  written_5m_tokens: ({ row }) => row.usage?.cacheCreation?.fiveMinutes ?? null,
  written_1h_tokens: ({ row }) => row.usage?.cacheCreation?.oneHour ?? null,
  ...figure('output_tokens', ({ row }) => row.usage?.completionTokens),
  usd: ({ row }) => (row.cost === null ? null : withoutRoundingErrors(row.cost.usd)),
  usd_is_at_least: ({ row }) => row.cost?.atLeast ?? null,
  is_unbilled: ({ row }) => row.isUnbilled,
  ...held(HELD_CATEGORIES.map((category) => [`${category}_tokens`, ({ tokens }) => tokens[category]])),
  ...held(HELD_TYPES.map((type) => [type === 'repository' ? 'repository_parts' : `${type}s`, ({ items }) => items[type]])),
  ...held([['not_selected', ({ notSelected }) => notSelected]]),
};

/** Prices per million tokens have few decimals, so that further decimals of a cost are errors of binary arithmetic. */
function withoutRoundingErrors(usd: number): number {
  return Number(usd.toFixed(12));
}

/** Makes columns about the content of a request, such as `context_files_tokens` and `context_files`. */
function held(columns: readonly (readonly [name: string, of: (held: RequestHeld) => number])[]): typeof COLUMNS {
  return Object.fromEntries(
    columns.map(([name, of]) => [`context_${name}`, (_: UsedAttempt, words: ExportWords) => (words.held === null ? null : of(words.held))]),
  );
}

function figure(name: string, of: (attempt: UsedAttempt) => Figure | null | undefined): typeof COLUMNS {
  return { [name]: (attempt) => of(attempt)?.value ?? null, [`${name}_source`]: (attempt) => of(attempt)?.source ?? null };
}

export const CSV_HEAD = Object.keys(COLUMNS).join(',');

/** Returns an attempt as a line of CSV. Unknown values are empty. */
export function csvLine(attempt: UsedAttempt, words: ExportWords): string {
  return Object.values(COLUMNS)
    .map((valueOf) => csvCell(valueOf(attempt, words)))
    .join(',');
}

/** Returns an attempt as a JSON object. Unknown values are null. */
export function exportedAttempt(attempt: UsedAttempt, words: ExportWords): JsonObject {
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, valueOf]) => [name, valueOf(attempt, words)]));
}

/** Matches a text that spreadsheets would run as a formula. A chat's title may contain any text. */
const FORMULA = /^[=+\-@\t\r]/u;

function csvCell(value: Json): string {
  if (typeof value !== 'string') {
    return value === null ? '' : JSON.stringify(value);
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
