import assert from 'node:assert/strict';
import { isChatId, newChatId, newId } from '../../../src/engine/chat/order/ids.js';
import { toErrorRecord, toLoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import { canonicalJson } from '../../../src/engine/json.js';
import type { RandomHex } from '../../../src/engine/ports.js';
import { ManualClock } from '../../support/engine/ports.js';
import { failureOf } from '../../support/failures.js';

describe('errors', () => {
  it('may be tried again when the same request may succeed', () => {
    const kinds: Record<ErrorKind, boolean> = {
      auth: false,
      rateLimit: true,
      overloaded: true,
      network: true,
      timeout: true,
      incomplete: true,
      protocol: false,
      contextOverflow: false,
      modelGone: false,
      refused: false,
      cancelled: false,
      toolFailed: false,
      storage: false,
      invalidInput: false,
      internal: false,
    };
    for (const [kind, retryable] of Object.entries(kinds)) {
      const error = failureOf(kind as ErrorKind, 'x');
      assert.equal(error.retryable, retryable, kind);
      assert.equal(toErrorRecord(error).retryable, retryable, kind);
    }
  });

  it('keep the whole chain of causes in the log', () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED', { cause: 'port 1' }) });
    assert.deepEqual(toErrorRecord(failureOf('network', 'No connection.', { cause })), {
      code: 'connection.refused',
      kind: 'network',
      message: 'No connection.',
      retryable: true,
      inputLimit: null,
      detail: 'TypeError: fetch failed; caused by: Error: connect ECONNREFUSED; caused by: port 1',
    });
  });

  it('keep every one of several attempts that failed', () => {
    const attempts = new AggregateError([new Error('connect ::1', { cause: 'a' }), 'text', new Error('connect 127.0.0.1')], 'all failed');
    const cause = new TypeError('fetch failed', { cause: attempts });
    assert.equal(
      toErrorRecord(failureOf('network', 'x', { cause })).detail,
      'TypeError: fetch failed; caused by: AggregateError: all failed; caused by: Error: connect ::1; caused by: a; caused by: text; caused by: Error: connect 127.0.0.1',
    );
  });

  it('end where several attempts turn back on themselves', () => {
    const attempts = new AggregateError([], 'all');
    attempts.errors = [attempts, new Error('one', { cause: attempts })];
    assert.equal(toErrorRecord(failureOf('network', 'x', { cause: attempts })).detail, 'AggregateError: all; caused by: Error: one');
  });

  it('have no detail without a cause', () => {
    assert.equal(toErrorRecord(failureOf('network', 'No connection.')).detail, null);
  });

  it('name causes that are no errors', () => {
    const detail = (cause: unknown): string | null => toErrorRecord(failureOf('network', 'x', { cause })).detail;
    assert.deepEqual(
      [detail('text'), detail(7), detail(null), detail({})],
      ['text', 'a thrown number', 'a thrown object', 'a thrown object'],
    );
  });

  it('end the chain where it turns back on itself', () => {
    const cause = new Error('first');
    cause.cause = new Error('second', { cause });
    assert.equal(toErrorRecord(failureOf('network', 'x', { cause })).detail, 'Error: first; caused by: Error: second');
  });

  it('stay what they are when they are ours, and are a defect of ours otherwise', () => {
    const own = failureOf('auth', 'No key.');
    assert.equal(toLoupeError(own), own);
    const wrapped = toLoupeError(new TypeError('x is undefined'));
    assert.deepEqual([wrapped.kind, wrapped.retryable], ['internal', false]);
    assert.match(wrapped.message, /x is undefined/);
    assert.equal(toErrorRecord(wrapped).detail, 'TypeError: x is undefined');
    assert.match(toLoupeError('just text').message, /just text/);
  });
});

describe('ids', () => {
  const clock = new ManualClock();
  const random: RandomHex = { hex: (count) => crypto.randomUUID().replaceAll('-', '').slice(0, count) };

  it('of messages are the time and eight digits', () => {
    assert.match(newId(clock, random), /^1000000-[0-9a-f]{8}$/);
  });

  it('of chats are sess, the time and six digits', () => {
    assert.match(newChatId(clock, random), /^sess_1000000_[0-9a-f]{6}$/);
  });

  it('are unique, a hundred in the same millisecond', () => {
    assert.equal(new Set(Array.from({ length: 100 }, () => newId(clock, random))).size, 100);
    assert.equal(new Set(Array.from({ length: 100 }, () => newChatId(clock, random))).size, 100);
  });

  it('of chats are known by their form', () => {
    assert.equal(isChatId(newChatId(clock, random)), true);
    const others = [
      '',
      '..',
      '/',
      'sess_1_abcde',
      'sess_1_abcdefa',
      'sess_1_ABCDEF',
      'sess__abcdef',
      'sess_1_abcdef/..',
      ' sess_1_abcdef',
      'sess_1_abcdef\n',
    ];
    for (const other of others) {
      assert.equal(isChatId(other), false, other);
    }
  });
});

describe('canonical JSON', () => {
  it('has members in the order of their names, and no white space', () => {
    assert.equal(
      canonicalJson({ b: [1, { d: null, c: 'x' }], a: true, 10: 0, 9: 0 }),
      '{"10":0,"9":0,"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it('keeps the order of lists', () => {
    assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  });

  it('tells lone surrogates apart', () => {
    assert.equal(canonicalJson('\ud800'), '"\\ud800"');
    assert.notEqual(canonicalJson('\ud800'), canonicalJson('\ud801'));
    assert.notEqual(canonicalJson('\ud800'), canonicalJson('\ufffd'));
  });

  it('leaves out members without a value', () => {
    assert.equal(canonicalJson({ a: undefined as unknown as null, b: 1 }), '{"b":1}');
  });
});
