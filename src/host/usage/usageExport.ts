import { setImmediate } from 'node:timers/promises';
import { CSV_HEAD, csvLine, exportedAttempt, type ExportWords } from '../../engine/accounting/usageExport.js';
import type { RequestHeld } from '../../engine/accounting/requestHeld.js';
import type { UsedAttempt } from '../../engine/accounting/usedAttempt.js';
import type { UsageFormat } from '../../protocol/usage/usage.js';

export interface ExportedUsage {
  readonly attempts: readonly UsedAttempt[];
  /** The titles of chats, by chat id. Deleted chats have no title. */
  readonly titles: ReadonlyMap<string, string>;
  /** The content of each request, by attempt id. Requests of deleted chats have no entry. */
  readonly held: ReadonlyMap<string, RequestHeld>;
}

type Filters = Readonly<Record<string, string[]>>;

/** The file types in the save dialog. The suggested type is first. */
export const USAGE_FILTERS: Readonly<Record<UsageFormat, Filters>> = {
  csv: { CSV: ['csv'], JSON: ['json'] },
  json: { JSON: ['json'], CSV: ['csv'] },
};

/** Returns the format for a file extension. CSV for an unknown extension, because spreadsheets read CSV. */
export function usageFormat(path: string): UsageFormat {
  return path.toLowerCase().endsWith('.json') ? 'json' : 'csv';
}

/** Number of lines between two pauses. Writing them takes some milliseconds. */
const AT_ONCE = 500;

/** Returns the attempts as CSV (RFC 4180), or as a JSON array with one attempt per line. */
export async function usageExport({ attempts, titles, held }: ExportedUsage, format: UsageFormat): Promise<Uint8Array> {
  const lines: string[] = [];
  for (const [at, attempt] of attempts.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) {
      await setImmediate();
    }
    const chat = titles.get(attempt.chatId) ?? null;
    const words: ExportWords = { when: new Date(attempt.row.at).toISOString(), chat, held: held.get(attempt.row.id) ?? null };
    lines.push(format === 'csv' ? csvLine(attempt, words) : JSON.stringify(exportedAttempt(attempt, words)));
  }
  return Buffer.from(format === 'csv' ? `${[CSV_HEAD, ...lines].join('\r\n')}\r\n` : `[\n${lines.join(',\n')}\n]\n`);
}
