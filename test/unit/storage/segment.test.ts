import assert from 'node:assert/strict';
import { encodeLine } from '../../../src/storage/log/line.js';
import { readOnlyReason, readSegment, segmentLines, UNREAD } from '../../../src/storage/log/segment.js';
import { stamped, title, titles } from './fixtures.js';
import { columns } from '../../support/columns.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function line(text: string, seq: number): Buffer {
  return encodeLine(stamped(title(text), seq, 'w1'));
}

function newer(seq: number, members: object): Buffer {
  return encodeLine({ ...stamped(title('later'), seq, 'w1'), ...members });
}

function read(...parts: readonly (Buffer | string)[]): ReturnType<typeof readSegment> {
  return readSegment(Buffer.concat(parts.map((part) => Buffer.from(part))), 'w1');
}

describe('reading a segment', () => {
  it('finds nothing in an empty file, and no fault', () => {
    const { events, faults, unfinished } = read();
    assert.deepEqual([events, faults, unfinished], [[], [], null]);
  });

  it('gives the events in the order of the file', () => {
    const { events, faults } = read(line('a', 1), line('b', 2));
    assert.deepEqual(titles(events), ['a', 'b']);
    assert.deepEqual(faults, []);
  });

  it('takes a whole last line that only lacks its line feed', () => {
    const { events, unfinished } = read(line('a', 1), line('b', 2).subarray(0, -1));
    assert.deepEqual(titles(events), ['a', 'b']);
    assert.equal(unfinished, null);
  });

  it('holds an unfinished last line apart: its writer may be writing it', () => {
    const { events, faults, unfinished } = read(line('a', 1), line('b', 2).subarray(0, 30));
    assert.deepEqual(titles(events), ['a']);
    assert.deepEqual(faults, []);
    assert.equal(unfinished?.line, 2);
    assert.equal(unfinished.kind, 'torn');
  });

  it('names each faulty line by file and number and loads the others', () => {
    const { events, faults } = read(line('a', 1), 'garbage\n', line('b', 2), '\n', '\0\0\0\n', line('c', 3));
    assert.deepEqual(titles(events), ['a', 'b', 'c']);
    assert.deepEqual(columns(faults, 'segment', 'line', 'kind'), [
      ['w1.jsonl', 2, 'torn'],
      ['w1.jsonl', 4, 'torn'],
      ['w1.jsonl', 5, 'torn'],
    ]);
  });

  it('loses no line to a byte order mark in front of the file, but reports it', () => {
    const { events, faults } = read(BOM, line('a', 1), line('b', 2));
    assert.deepEqual(titles(events), ['a', 'b']);
    assert.deepEqual(columns(faults, 'line', 'kind'), [[1, 'bom']]);
  });

  it('takes a byte order mark further down for the damage it is', () => {
    const { events, faults } = read(line('a', 1), BOM, line('b', 2), line('c', 3));
    assert.deepEqual(titles(events), ['a', 'b', 'c']);
    assert.deepEqual(columns(faults, 'line', 'kind'), [[2, 'corrupt']]);
  });

  it('loads the whole records of a damaged line, and names the line', () => {
    const { events, faults } = read(
      ...[line('a', 1), line('torn', 2).subarray(0, 30), line('b', 3)],
      ...[line('c', 4).subarray(0, -1), line('d', 5)],
      ...['\0'.repeat(64), line('e', 6).subarray(0, -1), 'garbage\n', line('f', 7)],
    );
    assert.deepEqual(titles(events), ['a', 'b', 'c', 'd', 'e', 'f']);
    assert.deepEqual(columns(faults, 'line', 'kind'), [
      [2, 'corrupt'],
      [4, 'corrupt'],
      [4, 'torn'],
    ]);
  });

  it('goes on after a record in the middle of a damaged line', () => {
    const bytes = Buffer.concat([line('a', 1).subarray(0, -1), line('b', 2), line('c', 3)]);
    const [first] = [...segmentLines(bytes, 'w1', UNREAD.end)];
    const { offset = 0, lines = 0 } = first ?? {};
    const rest = [...segmentLines(bytes.subarray(offset), 'w1', { ...UNREAD.end, offset, lines })];
    assert.deepEqual(
      rest.map(({ event, lines: read }) => [titles(event === null ? [] : [event])[0], read]),
      [
        ['b', 1],
        ['c', 2],
      ],
    );
  });

  it('takes no time for many beginnings of records', () => {
    const { events } = read('{"v":'.repeat(200_000), '\n', line('a', 1));
    assert.deepEqual(titles(events), ['a']);
  });

  it('loads all records of a large line that lost its line feeds', () => {
    const all = Array.from({ length: 20_000 }, (_, at) => line(String(at), at + 1).subarray(0, -1));
    assert.equal(read(...all, '\n').events.length, all.length);
  });
});

describe('a chat is read-only', () => {
  it('when a line is of a newer version', () => {
    const { events, faults } = read(line('a', 1), newer(2, { v: LOG_VERSION + 1 }));
    assert.deepEqual(titles(events), ['a']);
    assert.match(readOnlyReason(faults) ?? '', /newer version of Loupe/);
  });

  it('when a line is of a version that was never released', () => {
    const { events, faults } = read(newer(1, { v: 1 }), line('a', 2));
    assert.deepEqual(titles(events), ['a']);
    assert.match(readOnlyReason(faults) ?? '', /unreleased version of Loupe/);
  });

  it('when an event is of a type that this version does not know', () => {
    const { faults } = read(newer(1, { type: 'hologram' }));
    assert.match(readOnlyReason(faults) ?? '', /newer version of Loupe/);
  });

  it('when a part of it cannot be read', () => {
    const reason = readOnlyReason([{ segment: 'w1.jsonl', line: null, kind: 'unreadable', reason: 'access was denied' }]);
    assert.match(reason ?? '', /access was denied/);
  });

  it('not because lines are damaged', () => {
    const { faults } = read(BOM, line('a', 1), 'garbage\n');
    assert.equal(faults.length, 2);
    assert.equal(readOnlyReason(faults), null);
  });
});
