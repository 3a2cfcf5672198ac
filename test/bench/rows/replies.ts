import { LoadServer } from '../../support/http/loadServer.js';
import { inFreshProcess, PIECES } from '../child.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';

const FIRST = 'the longest work for the first request, its client loaded for it';
const LONG = 'the longest work for a reply of 1,000,000 pieces';
const PROSE = 'the longest work for a reply of 4 million characters without usage, and for the next request';
const UNBROKEN = 'the same for one without a break';

/** The time between two turns of the event loop during a reply. The extension host answers nothing meanwhile. */
export const replies: Row = {
  name: 'replies',
  job: 'read a reply over HTTP in a fresh process, of one piece and of 1,000,000; count one of 4 million characters',
  async measure() {
    const [one, many] = await Promise.all([serve(1), serve(PIECES)]);
    try {
      const samples = await race(
        [
          { name: FIRST, run: () => inFreshProcess('first-request', one.url) },
          { name: LONG, run: () => inFreshProcess('long-reply', many.url) },
          { name: PROSE, run: () => inFreshProcess('long-text', 'All work and no play, 12 times a day. ') },
          { name: UNBROKEN, run: () => inFreshProcess('long-text', 'nobreak') },
        ],
        { rounds: 5 },
      );
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'ms that the first request blocks', measured: medianOf(samples, FIRST), target: { atMost: 20 } },
          { what: 'ms that a long reply blocks', measured: medianOf(samples, LONG), target: { atMost: 50 } },
          { what: 'ms that its tokens block', measured: medianOf(samples, PROSE), target: { atMost: 50 } },
          { what: 'ms that those without a break block', measured: medianOf(samples, UNBROKEN), target: { atMost: 50 } },
        ],
      };
    } finally {
      await Promise.all([one.close(), many.close()]);
    }
  },
};

function serve(times: number): Promise<LoadServer> {
  const choice = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({ id: 'reply', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  return LoadServer.start({ start: '', piece: choice({ content: 'a ' }, null), times, end: `${choice({}, 'stop')}data: [DONE]\n\n` });
}
