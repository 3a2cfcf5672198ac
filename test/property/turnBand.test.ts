import assert from 'node:assert/strict';
import { turnBand, type RecordedTurn, type StepRates, type TurnStep } from '../../src/engine/accounting/turnBand.js';
import { Random } from '../bench/judge/random.js';

const RATES: StepRates = { before: 0.3e-6, added: 3.75e-6, output: 15e-6 };

/** A kind of chat: steps per turn, and tokens that each adds. */
interface Kind {
  readonly goesOn: number;
  readonly added: number;
  readonly reply: number;
}

/** A turn whose request begins with `input` tokens. */
function turnOf({ goesOn, added, reply }: Kind, input: number, random: Random): readonly TurnStep[] {
  const steps: TurnStep[] = [];
  let size = input;
  do {
    steps.push({ input: size, output: random.logNormal({ median: reply, sigma: 0.8, least: 5, most: 8_000 }) });
    size += random.logNormal({ median: added, sigma: 1, least: 20, most: 40_000 });
  } while (random.chance(goesOn) && steps.length < 25);
  return steps;
}

/** The cost of a turn when the cache serves the content of the step before. */
function bill(turn: readonly TurnStep[], firstCost: number): number {
  return turn.reduce((sum, { input, output }, at) => {
    const before = turn[at - 1]?.input ?? input;
    return sum + output * RATES.output + (at === 0 ? 0 : before * RATES.before + (input - before) * RATES.added);
  }, firstCost);
}

const PLAYED = { id: 'run', at: 0, model: 'large' };

function recorded(...steps: readonly TurnStep[]): RecordedTurn {
  return { ...PLAYED, steps };
}

describe('the band of what a turn costs', () => {
  it('holds 75 to 85 % of 500 turns, in chats of all kinds that grow', () => {
    const random = new Random(11);
    const others: RecordedTurn[] = [];
    let [held, turns, below, above] = [0, 0, 0, 0];
    while (turns < 500) {
      const kind = { goesOn: 0.3 + 0.55 * random.next(), added: random.integer([100, 3_000]), reply: random.integer([50, 800]) };
      const own: RecordedTurn[] = [];
      let input = random.integer([2_000, 30_000]);
      for (let number = 0; number < 50; number += 1) {
        const turn = turnOf(kind, input, random);
        const first = { input, inputCost: input * RATES.before + 400 * RATES.added };
        const band = turnBand(own, others, first, RATES);
        const cost = bill(turn, first.inputCost);
        if (band !== null && turns < 500) {
          turns += 1;
          held += Number(cost >= band.low && cost <= band.high);
          below += Number(cost < band.low);
          above += Number(cost > band.high);
        }
        own.push({ ...PLAYED, steps: turn });
        input = (turn.at(-1)?.input ?? input) + 300;
      }
      others.push(...own.slice(-20));
    }
    assert.ok(held >= 375 && held <= 425, `${String(held)} of 500 were held, ${String(below)} below and ${String(above)} above`);
  });

  it('is not there for fewer than five turns', () => {
    const turn = recorded({ input: 1_000, output: 100 });
    const next = { input: 2_000, inputCost: 0.001 };
    assert.equal(turnBand([turn, turn], [turn, turn], next, RATES), null);
    const band = turnBand([turn, turn, turn], [turn, turn], next, RATES);
    assert.equal(band?.low, 0.001 + 100 * RATES.output);
    assert.equal(band.high, band.low);
  });

  it('plays a turn again on a larger request: what stands before a step is read, what it adds is written', () => {
    const turn = recorded({ input: 1_000, output: 10 }, { input: 1_500, output: 20 });
    const band = turnBand([turn, turn, turn, turn, turn], [], { input: 10_000, inputCost: 0.01 }, RATES);
    assert.equal(band?.low.toFixed(9), (0.01 + 30 * RATES.output + 10_000 * RATES.before + 500 * RATES.added).toFixed(9));
  });

  it('follows the turns of its own chat more than those of others', () => {
    const small = recorded({ input: 1_000, output: 10 });
    const large = recorded({ input: 1_000, output: 4_000 });
    const next = { input: 1_000, inputCost: 0 };
    const mostlyLarge = turnBand([large, large, large, large], [small, small], next, RATES);
    assert.equal(mostlyLarge?.high, 4_000 * RATES.output);
    const own = turnBand(
      Array.from({ length: 20 }, () => small),
      [large, large, large],
      next,
      RATES,
    );
    assert.equal(own?.high, 10 * RATES.output);
  });
});
