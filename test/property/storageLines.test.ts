import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import type { Json } from '../../src/engine/json.js';
import { decodeLine, encodeLine } from '../../src/storage/log/line.js';
import { readSegment } from '../../src/storage/log/segment.js';
import { runStarted, stamped, title } from '../unit/storage/fixtures.js';
import { forAll } from '../support/forAll.js';

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

  function touched(position: number): readonly number[] {
    return whole[position] === LINE_FEED ? linesAt(position) : linesAt(position).slice(-1);
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
        assert.equal(faults[0]?.line, Math.min(...touched(position)) + 1, `byte ${String(position)}`);
      }
    });
  }
});
