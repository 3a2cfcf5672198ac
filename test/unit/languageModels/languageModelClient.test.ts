import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { Model, StreamPart, WireRequest } from '../../../src/engine/model/model.js';
import type { ReceivedPart } from '../../../src/host/models/languageModels/chatModel.js';
import { LanguageModelClient, LONGEST_SILENCE_MS } from '../../../src/host/models/languageModels/languageModelClient.js';
import type { LmRequest } from '../../../src/host/models/languageModels/wire.js';
import { column } from '../../support/columns.js';
import { OPEN_MODEL } from '../../support/engine/models.js';
import { ManualClock, settled } from '../../support/engine/ports.js';
import { rejection } from '../../support/rejection.js';
import { FakeModel, streamOf, Tap } from './fakes.js';

const MODEL: Model = { ...OPEN_MODEL, ref: { provider: 'vscode.acme', model: 'echo' } };

const REQUEST: LmRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
  ],
  tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  modelOptions: { temperature: 0 },
};

const WIRE: WireRequest = { body: JSON.stringify(REQUEST), converterVersion: 'vscode-lm/1' };
const said = (text: string): ReceivedPart => ({ type: 'text', text });
const called = (id: string, input: unknown): ReceivedPart => ({ type: 'toolCall', id, name: 'read', input });

function rig(reply: FakeModel['reply']) {
  const model = new FakeModel('echo');
  model.reply = reply;
  const clock = new ManualClock();
  const gone = { count: 0 };
  const ports = { clock, onModelGone: () => (gone.count += 1) };
  const client = new LanguageModelClient(new Map([[model.id, model]]), ports);
  const controller = new AbortController();
  const parts: StreamPart[] = [];
  const read = async (): Promise<void> => {
    for await (const part of client.stream(MODEL, WIRE, controller.signal)) {
      parts.push(part);
    }
  };
  return { model, clock, client, gone, controller, parts, read };
}

async function replyOf(...received: ReceivedPart[]): Promise<StreamPart[]> {
  const { read, parts } = rig(() => streamOf(...received));
  await read();
  return parts;
}

const END: StreamPart = { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null };

describe('a request to a language model of VS Code', () => {
  it('sends what the body says, and nothing else', async () => {
    const { model, read } = rig(() => streamOf());
    await read();
    assert.deepEqual(column(model.sent, 'request'), [REQUEST]);
  });

  it('joins the pieces of a text to one part, and ends with unknown usage', async () => {
    assert.deepEqual(await replyOf(said('Hel'), said('lo')), [
      { type: 'text', index: 0, text: 'Hel' },
      { type: 'text', index: 0, text: 'lo' },
      END,
    ]);
  });

  it('gives tool calls with their arguments as JSON, each a part of its own', async () => {
    assert.deepEqual(await replyOf(said('I read.'), called('c1', { path: 'a "b"' }), called('c2', {}), said('So.')), [
      { type: 'text', index: 0, text: 'I read.' },
      { type: 'toolCall', index: 1, id: 'c1', name: 'read' },
      { type: 'toolCallArgs', index: 1, text: '{"path":"a \\"b\\""}' },
      { type: 'toolCall', index: 2, id: 'c2', name: 'read' },
      { type: 'toolCallArgs', index: 2, text: '{}' },
      { type: 'text', index: 3, text: 'So.' },
      { ...END, stopReason: 'toolCalls' },
    ]);
  });

  it('keeps the ids of calls apart when the model does not', async () => {
    const parts = await replyOf(called('', {}), called('c', {}), called('c', {}), called('', {}), called('c_2', {}));
    const ids = parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    assert.equal(ids.length, 5);
    assert.equal(new Set(ids).size, 5);
    assert.equal(ids[1], 'c');
    assert.ok(ids.every((id) => id !== ''));
  });

  it('takes whatever an extension puts in the place of a text, and says where that cannot be written', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    const odd = [10n, cyclic, deep, () => 1, Symbol('x'), { toJSON: () => undefined }];
    const unwritable = odd.map(() => '(something that cannot be written as JSON)');
    for (const [given, texts] of [
      [odd, unwritable],
      [
        [null, undefined, 7, { a: [1] }, '{"a": 1}'],
        ['', '', '7', '{"a":[1]}', '{"a": 1}'],
      ],
    ] as const) {
      for (const [at, input] of given.entries()) {
        const [call, args, text] = await replyOf({ type: 'toolCall', id: input, name: input, input }, { type: 'text', text: input });
        assert.deepEqual(
          [call, args, text],
          [
            { type: 'toolCall', index: 0, id: texts[at] === '' ? 'call' : texts[at], name: texts[at] },
            { type: 'toolCallArgs', index: 0, text: texts[at] },
            { type: 'text', index: 1, text: texts[at] },
          ],
        );
      }
    }
  });

  it('leaves a call without arguments without any, so that it does not run', async () => {
    const parts = await replyOf(called('c', undefined));
    const pieces = parts.filter(({ type }) => type === 'toolCallArgs');
    assert.deepEqual(pieces, [{ type: 'toolCallArgs', index: 0, text: '' }]);
  });

  it('ignores parts of unknown kinds, also between two pieces of a text', async () => {
    assert.deepEqual(await replyOf({ type: 'other' }, said('a'), { type: 'other' }, said('b'), { type: 'other' }), [
      { type: 'text', index: 0, text: 'a' },
      { type: 'text', index: 0, text: 'b' },
      END,
    ]);
  });

  it('takes the usage that an extension tells in a part of its own, and nothing from what is none', async () => {
    const told = (value: string): ReceivedPart => ({ type: 'data', mimeType: 'usage', bytes: Buffer.from(value) });
    const raw = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, prompt_tokens_details: { cached_tokens: 60 } };
    const [text, usage, end] = await replyOf(said('a'), told(JSON.stringify(raw)));
    assert.deepEqual(text, { type: 'text', index: 0, text: 'a' });
    assert.ok(usage?.type === 'usage' && end?.type === 'end');
    assert.deepEqual([usage.rawUsage, end.rawUsage, end.usage], [raw, raw, usage.usage]);
    const { promptTokens, cacheReadInputTokens, completionTokens } = usage.usage;
    assert.deepEqual([promptTokens?.value, cacheReadInputTokens?.value, completionTokens?.value], [40, 60, 7]);
    assert.deepEqual(await replyOf(told('{"prompt_tokens":'), told('[1]')), [END]);
  });

  it('gives images as parts of the reply, and no other data', async () => {
    const data = (mimeType: string): ReceivedPart => ({ type: 'data', mimeType, bytes: new Uint8Array(3) });
    const image = { type: 'image', index: 1, mimeType: 'image/png', bytes: new Uint8Array(3) } as const;
    assert.deepEqual(await replyOf(said('a'), data('image/png'), data('stateful_marker'), said('b')), [
      { type: 'text', index: 0, text: 'a' },
      image,
      { type: 'text', index: 2, text: 'b' },
      END,
    ]);
  });

  it('gives each part when it comes', async () => {
    const tap = new Tap();
    const { read, parts } = rig(() => tap);
    const reading = read();
    tap.give(said('first'));
    await settled();
    assert.deepEqual(parts, [{ type: 'text', index: 0, text: 'first' }]);
    tap.close();
    await reading;
  });

  it('lets others have their turn while an extension sends without a pause', async () => {
    let hadTurn = false;
    let sent = 0;
    const { read } = rig(async function* () {
      for (; !hadTurn && sent < 1_000_000; sent += 1) {
        yield await Promise.resolve(said('x'));
      }
    });
    setImmediate(() => {
      hadTurn = true;
    });
    await read();
    assert.ok(sent < 1_000_000, 'nothing else had its turn before the end');
  });

  it('fails when the stream does, and keeps what had come', async () => {
    const { read, parts } = rig(() => streamOf(said('so far'), new Error('The line broke.')));
    const error = await rejection(read());
    assert.deepEqual([error.kind, error.message], ['protocol', '"ECHO" (acme in VS Code) failed: The line broke.']);
    assert.deepEqual(parts, [{ type: 'text', index: 0, text: 'so far' }]);
  });

  it('fails when the request is not taken on', async () => {
    const { read, gone } = rig(() => Promise.reject(Object.assign(new Error('No.'), { code: 'NoPermissions' })));
    assert.equal((await rejection(read())).kind, 'auth');
    assert.equal(gone.count, 0);
  });

  it('passes on that VS Code has the model no more', async () => {
    const { read, gone } = rig(() => Promise.reject(Object.assign(new Error('No.'), { code: 'NotFound' })));
    assert.equal((await rejection(read())).kind, 'modelGone');
    assert.equal(gone.count, 1);
  });

  it('fails for a model that has gone', async () => {
    const { client, controller } = rig(() => streamOf());
    const gone: Model = { ...MODEL, ref: { provider: 'vscode.acme', model: 'other' }, label: 'Other' };
    const error = await rejection(client.stream(gone, WIRE, controller.signal).next());
    assert.equal(error.kind, 'modelGone');
    assert.match(error.message, /"Other"/);
  });

  it('gives up after too long a silence, before the first part and between two, and ends the request', async () => {
    const tap = new Tap();
    const { model, clock, read, parts } = rig(() => tap);
    const failing = rejection(read());
    await clock.pass(LONGEST_SILENCE_MS - 1);
    tap.give(said('late'));
    await settled();
    // On a slow computer the client yields before it waits for the next part.
    while (clock.sleeping === 0) {
      await settled();
    }
    await clock.pass(LONGEST_SILENCE_MS - 1);
    assert.equal(model.sent[0]?.signal.aborted, false);
    await clock.pass(1);
    const error = await failing;
    assert.deepEqual([error.kind, error.message], ['timeout', '"ECHO" sent nothing for 5 minutes.']);
    assert.deepEqual(parts, [{ type: 'text', index: 0, text: 'late' }]);
    assert.equal(model.sent[0].signal.aborted, true);
    assert.equal(clock.sleeping, 0);
  });

  it('waits for the consent of the user as long as that takes', async () => {
    let consent = (): void => undefined;
    const asked = new Promise<AsyncIterable<ReceivedPart>>((resolve) => {
      consent = () => {
        resolve(streamOf(said('thanks')));
      };
    });
    const { clock, read, parts } = rig(() => asked);
    const reading = read();
    await clock.pass(10 * LONGEST_SILENCE_MS);
    consent();
    await reading;
    assert.deepEqual(parts, [{ type: 'text', index: 0, text: 'thanks' }, END]);
  });

  it('stops at once, whatever the model does, and ends the request', async () => {
    for (const reply of [() => new Tap(), () => new Promise<never>(() => undefined)]) {
      const { model, clock, controller, read } = rig(reply);
      const failing = rejection(read());
      await settled();
      assert.equal(model.sent[0]?.signal.aborted, false);
      controller.abort();
      assert.equal((await failing).kind, 'cancelled');
      assert.equal(model.sent[0].signal.aborted, true);
      assert.equal(clock.sleeping, 0);
    }
  });

  it('ends the request when nobody reads on', async () => {
    const { model, client, controller } = rig(() => streamOf(said('a'), said('b')));
    for await (const part of client.stream(MODEL, WIRE, controller.signal)) {
      assert.equal(part.type, 'text');
      break;
    }
    assert.equal(model.sent[0]?.signal.aborted, true);
  });
});

describe('counting with a language model of VS Code', () => {
  it('adds up the messages and the tools', async () => {
    const { model, client, controller } = rig(() => streamOf());
    model.count = (content) => (typeof content === 'string' ? 100 : content.content.length);
    assert.equal(await client.countTokens(MODEL, WIRE, controller.signal), 102);
    assert.deepEqual(model.counted, [...REQUEST.messages, JSON.stringify(REQUEST.tools[0])]);
  });

  it('rounds a sum up that is no whole number', async () => {
    const { model, client, controller } = rig(() => streamOf());
    model.count = () => 1.5;
    assert.equal(await client.countTokens(MODEL, WIRE, controller.signal), 5);
  });

  it('fails for figures that make no sense, and as the model does', async () => {
    const { model, client, controller } = rig(() => streamOf());
    for (const count of [-1, NaN, Infinity, '12', null, 12n]) {
      model.count = () => count as number;
      const error = await rejection(client.countTokens(MODEL, WIRE, controller.signal));
      assert.equal(error.kind, 'protocol');
    }
    model.count = () => Promise.reject(Object.assign(new Error(''), { code: 'NotFound' }));
    assert.equal((await rejection(client.countTokens(MODEL, WIRE, controller.signal))).kind, 'modelGone');
  });

  it('stops at once', async () => {
    const { model, client, controller } = rig(() => streamOf());
    model.count = () => new Promise<never>(() => undefined);
    const failing = rejection(client.countTokens(MODEL, WIRE, controller.signal));
    controller.abort();
    const error = await failing;
    assert.ok(error instanceof LoupeError);
    assert.equal(error.kind, 'cancelled');
  });
});
