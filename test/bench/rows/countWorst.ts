import { loadTestCounter } from '../../support/counters.js';
import { medianOf, race, type Contestant } from '../race.js';
import type { Row, Verdict } from '../row.js';
import { ideographs, randomLetters } from '../texts.js';

const LENGTH = 200_000;
const ROUNDS = 11;

/** Worst cases of byte pair encoders (quadratic time): a single piece as long as the text. */
const INPUTS: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  spaces: (length) => ' '.repeat(length),
  'line breaks': (length) => '\n'.repeat(length),
  'random letters': randomLetters,
  ideographs,
};

export const countWorst: Row = {
  name: 'count-worst',
  job: 'count the tokens of 200,000 and 400,000 characters without a break (every other library measured takes the square of the length)',
  async measure() {
    const contestants: Contestant[] = [];
    for (const [name, make] of Object.entries(INPUTS)) {
      for (const length of [LENGTH, 2 * LENGTH]) {
        const text = make(length);
        const counters = await Promise.all(Array.from({ length: ROUNDS + 1 }, () => loadTestCounter('o200k_base')));
        contestants.push({ name: `${name}, ${length.toLocaleString('en-US')}`, run: () => void counters.pop()?.count(text) });
      }
    }
    const samples = await race(contestants, { rounds: ROUNDS });
    const at = (name: string, length: number): number => medianOf(samples, `${name}, ${length.toLocaleString('en-US')}`);
    const verdicts = Object.keys(INPUTS).flatMap((name): Verdict[] => [
      { what: `${name}: time for twice the input, times`, measured: at(name, 2 * LENGTH) / at(name, LENGTH), target: { atMost: 2.3 } },
      { what: `${name}: µs for a character`, measured: (at(name, 2 * LENGTH) * 1_000) / (2 * LENGTH), target: { atMost: 2.5 } },
    ]);
    return { samples, amount: null, verdicts };
  },
};
