import { TITLE_LENGTH, cutTo } from '../chat/opening.js';
import { replyText } from '../chat/reply.js';
import { failure } from '../errors.js';
import type { AttemptResult } from '../run/attempt.js';

/** Words that models put before a title all the same. */
const LABEL = /^(?:title|titel|titre|título|题目|标题)\s*[:：]\s*/i;
/** Marks of Markdown and quotation marks around a title. */
const AROUND = /^[\s"'“”„«»‘’`*_#>-]+|[\s"'“”„«»‘’`*_]+$/gu;
const LAST_STOP = /(?<=[^.])[.:]$/;

/**
 * The title in a reply: its first line with words, without what models write around it, cut to the length of a title.
 * Throws a `LoupeError` for a reply that has none.
 */
export function titleIn({ reply, ended: { stopReason } }: Pick<AttemptResult, 'reply' | 'ended'>): string {
  if (stopReason === 'refused') {
    throw failure('title.refused');
  }
  const title = replyText(reply)
    .split('\n')
    .map((line) => line.replace(AROUND, '').replace(LABEL, '').replace(AROUND, '').replace(LAST_STOP, '').replace(/\s+/g, ' '))
    .find((line) => /[\p{L}\p{N}]/u.test(line));
  if (title === undefined) {
    throw failure('title.empty');
  }
  return cutTo(title, TITLE_LENGTH);
}
