import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { type ElicitField, type ElicitValue, fieldProblem } from '../../../src/tools/mcp/elicitation.js';
import { CallTimes } from '../../../src/tools/mcp/callTimes.js';

const base = { name: 'a', title: 'A', description: null, isRequired: false };
const TEXT: ElicitField = { ...base, type: 'text', format: null, minLength: 2, maxLength: 3, initial: null };
const NUMBER: ElicitField = { ...base, type: 'number', isInteger: true, minimum: 1, maximum: 9, initial: null };
const CHOICES: ElicitField = { ...base, type: 'choices', choices: [], minItems: 1, maxItems: 2, initial: [] };

describe('a value in the form of an MCP server', () => {
  const problems = (field: ElicitField, values: readonly (ElicitValue | undefined)[]): readonly (string | null)[] =>
    values.map((value) => fieldProblem(field, value));

  it('may be missing where it is not required', () => {
    assert.equal(fieldProblem(TEXT, undefined), null);
    assert.equal(fieldProblem({ ...TEXT, isRequired: true }, undefined), 'Enter a value.');
  });

  it('has the length that the server wants', () => {
    assert.deepEqual(problems(TEXT, ['ab', 'abc', 'a', 'abcd']), [
      null,
      null,
      'Enter at least 2 characters.',
      'Enter at most 3 characters.',
    ]);
  });

  it('has the format that the server wants', () => {
    const of = (format: 'email' | 'uri' | 'date' | 'date-time', values: readonly string[]): readonly (string | null)[] =>
      problems({ ...TEXT, format, minLength: null, maxLength: null }, values);
    const [email, uri] = ['Enter an e-mail address, such as name@example.com.', 'Enter an address, such as https://example.com.'];
    assert.deepEqual(of('email', ['a@b', 'a', 'a b@c']), [null, email, email]);
    assert.deepEqual(of('uri', ['https://a.example', 'a.example']), [null, uri]);
    const areDates = of('date', ['2026-02-03', '2026-13-01', 'today']).map((each) => each === null);
    assert.deepEqual(areDates, [true, false, false]);
    const areTimes = of('date-time', ['2026-02-03T10:00:00Z', '2026-02-03']).map((each) => each === null);
    assert.deepEqual(areTimes, [true, false]);
  });

  it('is a number within its limits', () => {
    assert.deepEqual(problems(NUMBER, [1, 9, 0, 10, 1.5, Number.NaN]), [
      null,
      null,
      'The smallest value is 1.',
      'The largest value is 9.',
      'Enter a whole number.',
      'Enter a whole number.',
    ]);
  });

  it('is as many picks as the server wants', () => {
    assert.deepEqual(problems(CHOICES, [[], ['x'], ['x', 'y', 'z']]), ['Pick at least 1.', null, 'Pick at most 2.']);
  });
});

describe('the time of a call', () => {
  let asked: boolean[];
  let ended: string[];
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    mock.method(performance, 'now', () => Date.now());
    asked = [];
    ended = [];
  });
  afterEach(() => {
    mock.reset();
  });

  const begin = (silentCallMs: number, longestCallMs: number): CallTimes => {
    const news = { over: (which: string) => ended.push(which), asks: (asks: boolean) => asked.push(asks) };
    return new CallTimes({ silentCallMs, longestCallMs }, news);
  };

  const pass = (ms: number): readonly string[] => {
    mock.timers.tick(ms);
    return ended;
  };

  it('is over by silence, or as a whole', () => {
    begin(10, 1_000).end();
    assert.deepEqual(pass(2_000), []);
    begin(10, 1_000);
    assert.deepEqual(pass(9), []);
    assert.deepEqual(pass(1), ['silent']);
  });

  it('goes on as long as progress comes, but no longer than a whole call may take', () => {
    const times = begin(40, 200);
    for (let ms = 30; ms < 200; ms += 30) {
      assert.deepEqual(pass(30), []);
      times.progress();
    }
    assert.deepEqual(pass(20), ['long']);
  });

  it('stands still while it is paused, by however many', () => {
    const times = begin(30, 100);
    pass(20);
    times.pause();
    times.pause();
    times.progress();
    pass(1_000);
    times.resume();
    assert.deepEqual(pass(1_000), []);
    times.resume();
    assert.deepEqual(pass(29), []);
    times.progress();
    assert.deepEqual(pass(29), []);
    times.progress();
    assert.deepEqual(pass(21), []);
    assert.deepEqual(pass(1), ['long']);
    assert.deepEqual(asked, [true, false], 'that it waits for the user, and does not any more');
  });
});
