import { decodeLine } from './line.js';
import { BytePattern, literalClasses } from './searchBytes.js';
import type { LineChunk } from './searchChunks.js';
import { matchingLines } from './searchScan.js';
import { saidInEvent, type Said } from './searchTexts.js';

/** The member of the messages that are summaries. */
const SUMMARY_ROLE = new BytePattern(literalClasses('"role":"summary"'));

/** All texts of summaries in a segment. A summary that was edited is logged again with its id. */
export async function summariesIn(
  segment: AsyncIterable<LineChunk>,
  { chatId, writer }: { readonly chatId: string; readonly writer: string },
): Promise<readonly Said[]> {
  const summaries: Said[] = [];
  for await (const { bytes } of segment) {
    for (const { start, end } of matchingLines(bytes, SUMMARY_ROLE)) {
      const decoded = decodeLine(bytes.subarray(start, end), writer);
      const said = decoded.ok ? saidInEvent(chatId, decoded.event) : null;
      if (said?.role === 'summary') {
        summaries.push(said);
      }
    }
  }
  return summaries;
}

/** Whether `all` has no later text of the same summary. What is no summary is never logged again. */
export function isLatest(said: Said, all: readonly Said[]): boolean {
  return said.role !== 'summary' || !all.some(({ chatId, key, seq }) => chatId === said.chatId && key === said.key && seq > said.seq);
}
