import { isLoose, unknownMembers, type Located } from './loose.js';

/** `A maximum of 4 blocks with cache_control may be provided. Found 5.` */
const MOST_MARKS = 4;

const MEMBERS = new Set(['type', 'ttl']);

/**
 * Checks the cache marks of `blocks` in their order (tools, system, messages):
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function markFaults(blocks: readonly Located[]): string[] {
  const marks = blocks.flatMap(({ at, value }) => {
    const mark = value['cache_control'];
    return mark === undefined || mark === null ? [] : [{ at: `${at}.cache_control`, mark }];
  });
  const firstShort = marks.findIndex(({ mark }) => !isLong(mark));
  return [
    ...(marks.length > MOST_MARKS ? [`cache_control: ${marks.length} marks, and ${MOST_MARKS} are the most`] : []),
    ...marks.flatMap(({ at, mark }) => formFaults(at, mark)),
    // `a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`
    ...marks
      .filter(({ mark }, index) => firstShort !== -1 && index > firstShort && isLong(mark))
      .map(({ at }) => `${at}.ttl: 1h stands after 5m`),
  ];
}

function isLong(mark: unknown): boolean {
  return isLoose(mark) && mark['ttl'] === '1h';
}

function formFaults(at: string, mark: unknown): string[] {
  if (!isLoose(mark) || mark['type'] !== 'ephemeral') {
    return [`${at}.type: is not ephemeral`];
  }
  const ttl = mark['ttl'];
  return [
    ...unknownMembers({ at, value: mark }, MEMBERS),
    ...(ttl === undefined || ttl === '5m' || ttl === '1h' ? [] : [`${at}.ttl: is neither 5m nor 1h`]),
  ];
}
