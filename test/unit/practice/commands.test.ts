import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import type { PracticeMessage, PracticeRequest } from '../../../src/providers/practice/wire.js';
import { calls, FakeClock, practiceModel, receive, replyTo, requestOf, results, says, user } from './support.js';

const { signal } = new AbortController();

describe('/tool', () => {
  it('streams a call of the tool with the arguments as written', async () => {
    const reply = await replyTo(user('/tool read_file {"path": "src/ä😀.ts", "lines": [1, 20]}'));
    const call = reply.parts.find((part) => part.type === 'toolCall');
    assert.deepEqual(call, { type: 'toolCall', index: 1, id: 'call_00000000', name: 'read_file' });
    assert.equal(reply.args, '{"path": "src/ä😀.ts", "lines": [1, 20]}');
    assert.equal(reply.end?.stopReason, 'toolCalls');
  });

  it('streams the arguments in several pieces after the call', async () => {
    const { parts } = await replyTo(user('/tool read_file {"path":"a/long/path/to/a.ts"}'));
    const types = parts.map((part) => part.type);
    assert.ok(types.filter((type) => type === 'toolCallArgs').length > 1);
    assert.ok(types.indexOf('toolCall') < types.indexOf('toolCallArgs'));
  });

  it('gives an empty object without arguments', async () => {
    assert.equal((await replyTo(user('/tool list'))).args, '{}');
  });

  it('passes invalid arguments on, as a model may write them', async () => {
    assert.equal((await replyTo(user('/tool read {"path": "a'))).args, '{"path": "a');
  });

  it('takes several lines one per round, then concludes about the last result', async () => {
    const start = user('Please:\n/tool a {"n":1}\nand\n/tool b {"n":2}');
    const first = await replyTo(start);
    assert.equal(first.args, '{"n":1}');
    const second = await replyTo(start, calls('c1'), results('c1'));
    assert.equal(second.args, '{"n":2}');
    const last = await replyTo(start, calls('c1'), results('c1'), calls('c2'), results('c2'));
    assert.equal(last.args, '');
    assert.equal(last.end?.stopReason, 'end');
    assert.equal(last.text, 'The tool `read` answered with 12 characters, beginning with `result of c2`.');
  });

  it('goes on with another kind of command after a tool result', async () => {
    const { error } = await replyTo(user('/tool a {}\n/error 401'), calls('c1'), results('c1'));
    assert.ok(error instanceof LoupeError && error.kind === 'auth');
  });

  it('says in the conclusion that a tool reported an error', async () => {
    const failed: PracticeMessage = {
      role: 'tool',
      content: [{ type: 'toolResult', callId: 'c1', name: 'r`m', content: [{ type: 'text', text: 'no' }], isError: true }],
    };
    const { text } = await replyTo(user('/tool r`m'), calls('c1'), failed);
    assert.match(text, /The tool ``r`m`` reported an error with 2 characters, beginning with `no`/);
  });
});

describe('/error', () => {
  const kinds: readonly (readonly [string, ErrorKind, boolean])[] = [
    ['401', 'auth', false],
    ['429', 'rateLimit', true],
    ['500', 'overloaded', true],
    ['503', 'overloaded', true],
    ['overflow', 'contextOverflow', false],
  ];
  for (const [what, kind, retryable] of kinds) {
    it(`${what} fails as ${kind} before anything is streamed`, async () => {
      const { parts, error } = await replyTo(user(`/error ${what}`));
      assert.deepEqual(parts, []);
      assert.ok(error instanceof LoupeError);
      assert.deepEqual([error.kind, error.retryable], [kind, retryable]);
    });
  }

  it('overflow says that it is played, because the request is not too long', async () => {
    const { error } = await replyTo(user('/error overflow'));
    assert.ok(error instanceof LoupeError);
    assert.equal(error.message, 'You asked the practice model to fail: the request is longer than the model can take (overflow).');
  });

  it('cut streams half a reply and ends without a finish marker', async () => {
    const whole = await replyTo(user('describe'));
    const { text, end, error } = await replyTo(user('/error cut'));
    assert.equal(end, null);
    assert.equal(error, null);
    assert.ok(text.length > whole.text.length / 4 && text.length < (whole.text.length * 3) / 4);
  });

  it('says which errors there are when it is asked for another', async () => {
    for (const what of ['418', 'constructor']) {
      const { text, end } = await replyTo(user(`/error ${what}`));
      assert.equal(end?.stopReason, 'end');
      assert.match(text, new RegExp(`I don't know the error \`${what}\``));
      assert.match(text, /overflow or cut/);
    }
  });
});

describe('/error with arguments', () => {
  it('asks to wait for so many seconds', async () => {
    const asked = (await replyTo(user('/error 429 wait 5'))).error;
    assert.ok(asked instanceof LoupeError);
    assert.deepEqual([asked.kind, asked.retryAfterMs], ['rateLimit', 5_000]);
    const silent = (await replyTo(user('/error 429'))).error;
    assert.ok(silent instanceof LoupeError && silent.retryAfterMs === null);
  });

  it('tells the real input limit with an overflow', async () => {
    const { error } = await replyTo(user('/error overflow'));
    assert.ok(error instanceof LoupeError && error.inputLimit === 128_000);
  });

  /** The same model's answers to repeated requests: error kinds, or `answer`. */
  async function takes(text: string, count: number): Promise<string[]> {
    const model = practiceModel(new FakeClock());
    const outcomes: string[] = [];
    for (let time = 0; time < count; time += 1) {
      const { error, text: answer } = await receive(model, requestOf(user(text)), signal);
      outcomes.push(error instanceof LoupeError ? error.kind : answer.startsWith("I'm the") ? 'answer' : answer);
    }
    return outcomes;
  }

  it('fails so many times, then answers, and begins anew', async () => {
    const twice = ['overloaded', 'overloaded', 'answer'];
    assert.deepEqual(await takes('/error 503 times 2', 6), [...twice, ...twice]);
    assert.deepEqual(await takes('/error 429 wait 1 times 1', 2), ['rateLimit', 'answer']);
    assert.deepEqual(await takes('/error 503 times 0', 1), ['answer']);
    assert.deepEqual(
      await takes('/error 503', 7),
      Array.from({ length: 7 }, () => 'overloaded'),
    );
  });

  it('counts the failures of each request apart', async () => {
    const model = practiceModel(new FakeClock());
    const take = async (name: string): Promise<boolean> =>
      (await receive(model, requestOf(user(`/error 503 times 1\n${name}`)), signal)).error === null;
    assert.deepEqual([await take('a'), await take('b'), await take('a'), await take('b')], [false, false, true, true]);
  });

  it('takes a request for the same whose cache marks differ, as those of a later attempt may', async () => {
    const model = practiceModel(new FakeClock());
    const marked = (cache: '5m' | '1h'): PracticeRequest => {
      const message = user('/error 503 times 2');
      return requestOf({ ...message, content: message.content.map((part) => ({ ...part, cache })) } as PracticeMessage);
    };
    const take = async (cache: '5m' | '1h'): Promise<boolean> => (await receive(model, marked(cache), signal)).error === null;
    assert.deepEqual([await take('5m'), await take('1h'), await take('1h')], [false, false, true]);
  });

  it('explains the commands when they are unclear', async () => {
    for (const line of ['/error 429 5', '/error 429 times', '/error 429 wait x', '/error 429 times 2 wait 5']) {
      assert.ok((await replyTo(user(line))).text.startsWith(`I cannot read \`${line}\`.`), line);
    }
  });
});

describe('/slow', () => {
  it('streams the answer over about 20 seconds, with pauses one can see', async () => {
    const clock = new FakeClock();
    const before = clock.now();
    const { parts } = await receive(practiceModel(clock), requestOf(user('/slow')), signal);
    const seconds = (clock.now() - before) / 1000;
    assert.ok(seconds >= 20 && seconds < 21, String(seconds));
    assert.ok(seconds / parts.length > 0.1);
  });

  it('describes the request like any other answer', async () => {
    assert.match((await replyTo(user('/slow'))).text, /practice model/);
  });
});

describe('/long', () => {
  it('writes so many words', async () => {
    for (const count of [1, 60, 500]) {
      const { text, end } = await replyTo(user(`/long ${String(count)}`));
      assert.equal(text.split(/\s+/).length, count);
      assert.equal(end?.stopReason, 'end');
    }
  });

  it('stops at the output limit and says so', async () => {
    const request = { ...requestOf(user('/long 500')), max_tokens: 100 };
    const { text, end } = await receive(practiceModel(new FakeClock()), request, signal);
    assert.equal(end?.stopReason, 'length');
    assert.ok(text.length <= 100 && text.length > 60);
    assert.equal(end.usage?.completionTokens?.value, text.length);
  });

  it('has an answer to zero words', async () => {
    assert.equal((await replyTo(user('/long 0'))).text, 'Zero words.');
  });

  it('streams 150 words a second', async () => {
    const clock = new FakeClock();
    const before = clock.now();
    await receive(practiceModel(clock), requestOf(user('/long 300')), signal);
    assert.equal(clock.now() - before, 2_000);
  });
});

describe('/code', () => {
  it('writes a block of code, and one for a file', async () => {
    assert.match((await replyTo(user('/code'))).text, /^```ts\n[^`]+\n```\n[^`]+\n```ts src\/gaugeHeight\.ts\n[^`]+\n```$/);
  });
});

describe('command lines', () => {
  for (const line of ['/tool', '/error', '/long', '/long many', '/long -1']) {
    it(`explains the commands when ${line} misses something`, async () => {
      const { text, end } = await replyTo(user(line));
      assert.ok(text.startsWith(`I cannot read \`${line}\`.`));
      assert.match(text, /\/tool name \{"key": "value"\}/);
      assert.equal(end?.stopReason, 'end');
    });
  }

  for (const text of [
    'say /slow',
    ' /slow',
    '/slower',
    '/unknown 1',
    '```\n/error 429\n```',
    '~~~\n/error 429',
    '```\n```js\n/error 429\n```',
  ]) {
    it(`are not in ${JSON.stringify(text)}`, async () => {
      const { text: answer, error } = await replyTo(user(text));
      assert.equal(error, null);
      assert.ok(answer.startsWith("I'm the **practice model**"));
    });
  }

  it('count after a fenced block again, and with Windows line ends', async () => {
    assert.equal((await replyTo(user('```\r\n/error 429\r\n```\r\n/tool a {}\r\n'))).args, '{}');
  });

  it('count only in the newest text, not in files or unanswered messages before it', async () => {
    const { text, error } = await replyTo(user('/error 429', 'hello'));
    assert.equal(error, null);
    assert.match(text, /practice model/);
  });

  it('count only in the last user message', async () => {
    const { error } = await replyTo(user('/error 429'), says('done'), user('hello'));
    assert.equal(error, null);
  });
});
