import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type ChatEvent, runOf } from '../../src/engine/chat/event.js';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import type { Json } from '../../src/engine/json.js';
import { decodeLine, encodeLine } from '../../src/storage/log/line.js';
import { readSegment } from '../../src/storage/log/segment.js';
import { runStarted, stamped, title, runCommitted } from '../unit/storage/fixtures.js';
import { forAll } from '../support/forAll.js';
import { logOrder } from '../../src/engine/chat/order/order.js';

const LINE_FEED = 0x0a;

/** Any UTF-16 units: also lone surrogates, NUL, line separators, byte order marks. */
const anyString = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\ud800', '\udc00', '\0', '\ufeff', '\u2028', '\n', '\r', '"', '\\', ',"sum":"00000000"}'))
    .map((parts) => parts.join('')),
);

const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      anyString,
    ),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(anyString, fc.constantFrom('sum', 'writer', '__proto__', 'v')), tie('value'), { noNullPrototype: true }),
  ),
})).value;

function attemptEnded(rawUsage: Json): NewEvent {
  return {
    type: 'attempt-ended',
    runId: 'r',
    attemptId: 'a',
    outcome: 'complete',
    usage: null,
    rawUsage,
    cost: null,
    responseId: null,
    stopReason: null,
    error: null,
    retry: null,
    exchange: null,
  };
}

function assertSurvives(event: ChatEvent): void {
  const line = encodeLine(event);
  assert.equal(line.indexOf(LINE_FEED), line.length - 1);
  assert.deepEqual(decodeLine(line.subarray(0, -1), event.writer), { ok: true, event });
}

describe('a line of a segment, for any content', () => {
  it('gives back every string', () => {
    forAll(anyString, (text) => {
      assertSurvives(stamped(title(text), 1, 'w1'));
    });
  });

  it('gives back every JSON value', () => {
    forAll(anyJson, (value) => {
      assertSurvives(stamped(attemptEnded(value), 1, 'w1'));
    });
  });

  it('gives back the big list of naughty strings', () => {
    const path = createRequire(import.meta.url).resolve('big-list-of-naughty-strings/blns.json');
    const strings = JSON.parse(readFileSync(path, 'utf8')) as string[];
    assert.ok(strings.length > 400);
    for (const text of strings) {
      assertSurvives(stamped(title(text), 1, 'w1'));
    }
    assertSurvives(stamped(attemptEnded(strings), 1, 'w1'));
  });
});

describe('a segment with one byte changed', () => {
  const events = [
    stamped(title('Plan'), 1, 'w1'),
    stamped(runStarted('r'), 2, 'w1'),
    stamped(attemptEnded({ sum: 'é\ud800', deep: [{ sum: 1 }] }), 3, 'w1'),
    stamped(title('\ufeff'), 4, 'w1'),
    stamped(title('End'), 5, 'w1'),
  ];
  const lines = events.map(encodeLine);
  const whole = Buffer.concat(lines);

  /** Indexes of the lines of a byte. A line feed belongs to both of its lines. */
  function linesAt(position: number): number[] {
    let start = 0;
    return lines.flatMap((line, index) => {
      const isIn = position >= start - 1 && position < start + line.length;
      start += line.length;
      return isIn && position >= 0 ? [index] : [];
    });
  }

  /** Returns the indexes of the lines whose event is lost. A changed line feed belongs to no event. */
  function touched(position: number): readonly number[] {
    return whole[position] === LINE_FEED ? [] : linesAt(position).slice(-1);
  }

  for (const [name, change] of [
    ['its lowest bit flipped', (byte: number) => byte ^ 0x01],
    ['its highest bit flipped', (byte: number) => byte ^ 0x80],
    ['all its bits flipped', (byte: number) => byte ^ 0xff],
    ['a line feed in its place', (byte: number) => (byte === LINE_FEED ? 0x20 : LINE_FEED)],
    ['a quote in its place', (byte: number) => (byte === 0x22 ? 0x27 : 0x22)],
  ] as const) {
    it(`loads every other line and reports the damage: any byte, ${name}`, () => {
      for (let position = 0; position < whole.length; position += 1) {
        const damaged = Buffer.from(whole);
        damaged[position] = change(whole[position]!);
        const content = readSegment(damaged, 'w1');
        const expected = events.filter((_, index) => !touched(position).includes(index));
        assert.deepEqual(content.events, expected, `byte ${String(position)}`);
        const faults = [...content.faults, ...(content.unfinished === null ? [] : [content.unfinished])];
        assert.equal(faults[0]?.line, Math.min(...linesAt(position)) + 1, `byte ${String(position)}`);
      }
    });
  }
});

/** The slow definition: sorts by the name of the group, then by the event's name. */
function oracle(events: readonly ChatEvent[]): ChatEvent[] {
  const name = (event: ChatEvent): string => `${String(event.seq).padStart(6, '0')}${event.writer}`;
  const groupName = (event: ChatEvent): string => {
    const runId = runOf(event);
    const group = runId === null ? [event] : events.filter((other) => runOf(other) === runId);
    return group.map(name).sort()[0]!;
  };
  const key = (event: ChatEvent): string => `${groupName(event)} ${name(event)}`;
  return [...events].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** One writer's events: growing times, inside and outside of runs. Other writers take part in some of the runs. */
function segment(writer: string): fc.Arbitrary<ChatEvent[]> {
  const step = fc.record({ gap: fc.integer({ min: 1, max: 3 }), run: fc.option(fc.constantFrom('r1', 'r2', 'r3')) });
  return fc.array(step, { maxLength: 12 }).map((steps) => {
    let seq = 0;
    return steps.map(({ gap, run }) => {
      seq += gap;
      return stamped(run === null ? title('x') : runCommitted(run), seq, writer);
    });
  });
}

/** All events in any order of arrival that keeps each writer's order. */
const arrival: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(segment('a'), segment('b'), segment('c'), fc.infiniteStream(fc.nat()))
  .map(([a, b, c, choices]) => {
    const waiting = [[...a], [...b], [...c]];
    const arrived: ChatEvent[] = [];
    for (const choice of choices) {
      const rest = waiting.filter((events) => events.length > 0);
      const next = rest[choice % rest.length]?.shift();
      if (next === undefined) {
        break;
      }
      arrived.push(next);
    }
    return arrived;
  });

describe('the order of a log, for any segments', () => {
  it('is the one that its definition gives', () => {
    forAll(arrival, (events) => {
      assert.deepEqual(logOrder(events), oracle(events));
    });
  });

  it('does not depend on the order in which the events were found', () => {
    const shuffled = arrival.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
    forAll(shuffled, ([events, others]) => {
      assert.deepEqual(logOrder(others), logOrder(events));
    });
  });
});
