import { inFreshProcess } from '../child.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';

export const countCold: Row = {
  name: 'count-cold',
  job: 'load the tokenizer and count two words, in a fresh process that has loaded nothing of it (the regular expression for texts beyond ASCII is compiled with the first of those)',
  async measure() {
    const samples = await race(
      [
        { name: 'Loupe', run: () => inFreshProcess('count-loupe', '') },
        { name: 'Loupe, two words with characters beyond ASCII', run: () => inFreshProcess('count-loupe-unicode', '') },
        { name: 'gpt-tokenizer', run: () => inFreshProcess('count-gpt-tokenizer', '') },
        { name: 'js-tiktoken', run: () => inFreshProcess('count-js-tiktoken', '') },
      ],
      { rounds: 7 },
    );
    const share = medianOf(samples, 'Loupe') / medianOf(samples, 'js-tiktoken');
    return { samples, amount: null, verdicts: [{ what: 'share of js-tiktoken’s time', measured: share, target: { atMost: 1 / 50 } }] };
  },
};
