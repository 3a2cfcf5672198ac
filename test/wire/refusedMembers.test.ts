import assert from 'node:assert/strict';
import type { UsageEntry } from '../../src/engine/chat/ledger.js';
import { tryModel } from '../../src/host/models/providers/setup/tryModel.js';
import { column, columns } from '../support/columns.js';
import { rejection } from '../support/rejection.js';
import { json, EVENTS, never, ScriptedServer } from '../support/wire/compatibleServer.js';
import { houseAt } from '../support/wire/house.js';
import { useWindows, type Window } from '../support/host/window.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { deltas, MODEL } from '../unit/openaiCompatible/support.js';

const HOUSE = { ...MODEL, maxInputTokens: 100_000, maxOutputTokens: 1_000 };

describe('a server that refuses a member of the request', () => {
  const windows = useWindows();
  const server = new ScriptedServer();

  before(() => server.start());
  after(() => server.stop());

  /** Refuses the members in `unknown` with status 400 and OpenAI's message. */
  function refusing(...unknown: readonly string[]): void {
    server.seen.length = 0;
    server.answer = (response, { body }) => {
      const members = Object.keys(JSON.parse(body.toString('utf8')) as object);
      const refused = unknown.find((name) => members.includes(name));
      if (refused === undefined) {
        response.writeHead(200, EVENTS).end(deltas('stop', { content: 'Done.' }));
      } else {
        void json(400, { error: { message: `Unsupported parameter: '${refused}' is not supported.`, code: 'unsupported_parameter' } })(
          response,
          { method: '', url: '', headers: {}, body },
        );
      }
    };
  }

  const open = (writerId: string): Window =>
    windows.open({ writerId, sources: [houseAt(server.origin, HOUSE)], config: { model: HOUSE.ref } });

  const bodies = (): Record<string, unknown>[] =>
    server.seen.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>);

  function outcomes({ state }: ChatSession): (readonly [string | undefined, string | undefined])[] {
    return [...state.attempts.values()].map(({ end }) => [end?.outcome, end?.error?.code] as const);
  }

  it('is asked again at once without it, the refusal is shown, and later requests do not send it', async () => {
    refusing('stream_options');
    const session = await open('a').chats.create();
    await session.conversation.send('When?');
    assert.deepEqual(outcomes(session), [
      ['failed', 'http.memberRefused'],
      ['complete', undefined],
    ]);
    const [refusal] = session.state.attempts.values();
    assert.equal(
      refusal?.end?.error?.message,
      'House does not accept the field "stream_options" of a request. Loupe no longer sends this field to this model.',
    );
    await session.conversation.send('And then?');
    const asks = bodies().map((body) => 'stream_options' in body);
    assert.deepEqual(asks, [true, false, false]);
  });

  it('gets the output limit under its other name', async () => {
    refusing('max_tokens');
    const session = await open('a').chats.create();
    await session.conversation.send('When?');
    assert.deepEqual(columns(bodies(), 'max_tokens', 'max_completion_tokens'), [
      [1_000, undefined],
      [undefined, 1_000],
    ]);
  });

  it('is remembered by the log, also for other chats, and each request can be shown as it was sent', async () => {
    refusing('stream_options', 'max_tokens', 'max_completion_tokens');
    const first = open('a');
    const session = await first.chats.create();
    await session.conversation.send('When?');
    assert.equal(server.seen.length, 4);
    const [attempt] = [...session.state.attempts.keys()].slice(-1);
    assert.equal((await session.records.request(attempt ?? '')).rebuilt.note, null);

    const second = open('b');
    await second.chats.open(session.id);
    const other = await second.chats.create();
    await other.conversation.send('When?');
    assert.deepEqual(outcomes(other), [['complete', undefined]]);
    assert.deepEqual(Object.keys(bodies().at(-1) ?? {}).toSorted(), ['messages', 'model', 'stream']);
  });

  it('gets the test message of a new provider without what it refuses, too', async () => {
    refusing('stream_options', 'max_tokens');
    const client = server.client({});
    const used: UsageEntry[] = [];
    const test = { client, model: HOUSE, signal: never, used: async (spent: UsageEntry) => void (await Promise.resolve(used.push(spent))) };
    assert.equal(await tryModel(test), 'The provider reported no usage.');
    assert.deepEqual(column(used, 'isUnbilled'), [true, true, false], 'what was refused is free');
    assert.deepEqual(Object.keys(bodies().at(-1) ?? {}).toSorted(), ['max_completion_tokens', 'messages', 'model', 'stream']);
    server.answer = json(400, { error: { message: "Unsupported parameter: 'stream_options' is not supported." } });
    assert.equal((await rejection(tryModel(test))).code, 'http.memberRefused');
  });

  it('is asked no more than usual when it refuses everything', async () => {
    server.seen.length = 0;
    server.answer = json(400, { error: { message: "Unsupported parameter: 'stream_options' is not supported." } });
    const session = await open('a').chats.create();
    await session.conversation.send('When?');
    assert.ok(server.seen.length <= 5);
    assert.equal(outcomes(session).at(-1)?.[0], 'failed');
  });
});
