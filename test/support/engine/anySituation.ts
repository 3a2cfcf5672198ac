import fc from 'fast-check';
import type { Tier } from '../../../src/engine/model/block.js';
import { NOTHING_SENT, type SentBlock, type Situation } from '../../../src/engine/request/layout/situation.js';
import { promptBlocks, type Prompt } from '../../../src/engine/model/prompt.js';

const ORDINAL = 20;

/** What the record says about its blocks, in order. It repeats for longer requests. */
export const anyRecord = fc.array(
  fc.record({
    since: fc.integer({ min: 1, max: ORDINAL }),
    tier: fc.constantFrom<Tier>('L0', 'L1', 'L2', 'L3', 'active'),
    isSent: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  }),
  { minLength: 1, maxLength: 12 },
);

/** The situation after a request with the blocks of this prompt, without those that the record omits. */
export function situationAfter(prompt: Prompt, record: typeof anyRecord extends fc.Arbitrary<infer T> ? T : never): Situation {
  const blocks = promptBlocks(prompt).flatMap((block, at): SentBlock[] => {
    const { since, tier, isSent } = record[at % record.length]!;
    return isSent ? [{ ...block, opens: false, content: null, part: null, since, tier }] : [];
  });
  return { ...NOTHING_SENT, last: { blocks, marks: [], ordinal: ORDINAL, isSameModel: true, cached: blocks.length, alive: blocks.length } };
}
