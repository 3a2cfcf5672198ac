import assert from 'node:assert/strict';
import { lastRun } from '../../src/engine/chat/branch.js';
import { activeCompaction } from '../../src/engine/chat/slices/compaction.js';
import { failure } from '../../src/engine/errors.js';
import type { StreamPart } from '../../src/engine/model/model.js';
import { MOST_IDLE_STEPS, STEPS_UNASKED } from '../../src/engine/run/run.js';
import type { RunNoteEntry } from '../../src/protocol/panel/entries.js';
import { EntryViews } from '../../src/host/panel/conversation/entries.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { useHouses } from '../support/faults/house.js';
import { EchoTool, runStatuses, sentTexts } from '../support/host/reading.js';
import { events } from '../support/http/answers.js';
import { useWindows, type Window } from '../support/host/window.js';
import { ANY_MODEL } from '../../webview/preview/views.js';

/** The model calls a tool in each reply. Returns the number of its requests. */
function callsWithoutEnd({ model }: Window, name: string): { readonly requests: () => number } {
  let requests = 0;
  model.stream = async function* (): AsyncGenerator<StreamPart> {
    requests += 1;
    yield await Promise.resolve({ type: 'toolCall', index: 0, id: `call-${String(requests)}`, name });
    yield { type: 'toolCallArgs', index: 0, text: '{}' };
    yield { type: 'end', stopReason: 'toolCalls', usage: null, rawUsage: null, responseId: null };
  };
  return { requests: () => requests };
}

async function asked(session: ChatSession, steps: number): Promise<void> {
  const isAsked = (): boolean => {
    const question = lastRun(session.state)?.question;
    return question?.steps === steps && question.goesOn === null;
  };
  await new Promise<void>((resolve) => {
    const remove = session.onChange(() => {
      if (isAsked()) {
        remove();
        resolve();
      }
    });
  });
}

function noteOf({ state }: ChatSession): RunNoteEntry {
  const note = new EntryViews(() => ANY_MODEL).derive(state, 100).entries.at(-1);
  assert.ok(note?.kind === 'runNote');
  return note;
}

describe('a model that calls tools without end', () => {
  const windows = useWindows();

  it('44. waits for the user after 25 steps, which stay, and goes on for 25 more at a click', async () => {
    const tools = new EchoTool();
    const window = windows.open({ tools });
    const { requests } = callsWithoutEnd(window, 'echo');
    const session = await window.chats.create();
    const sent = session.conversation.send('Go');
    await asked(session, 25);
    assert.deepEqual([STEPS_UNASKED, requests(), tools.calls.length], [25, 25, 25]);
    await session.answers.goOn(true);
    await asked(session, 50);
    await session.answers.goOn(false);
    await sent;
    assert.deepEqual([requests(), runStatuses(session.state)], [50, ['stopped']]);
    await assert.rejects(session.answers.goOn(true), /no longer open/);
    assert.equal(sentTexts(session.state).length, 1 + 2 * 50);
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(sentTexts(reopened.state), sentTexts(session.state));
  });

  it('44. is stopped after two rounds in which no call could run, and can go on', async () => {
    const window = windows.open({});
    const { requests } = callsWithoutEnd(window, 'fly');
    const session = await window.chats.create();
    await session.conversation.send('Go');
    assert.equal(requests(), MOST_IDLE_STEPS);
    const { text, actions } = noteOf(session);
    assert.equal(text, 'Loupe stopped the reply: 2 times in a row, none of the tools that the model called could run.');
    assert.deepEqual(actions, ['continue', 'retry']);
    await session.conversation.continueRun();
    assert.equal(requests(), 2 * MOST_IDLE_STEPS);
    assert.equal(sentTexts(session.state).length, 1 + 2 * 2 * MOST_IDLE_STEPS);
  });

  it('44. that fills the budget by itself has a summary of its earlier rounds written, and ends within the budget', async () => {
    let reads = 0;
    // Each text differs: an equal text would be sent as a reference.
    const text = (): string => `${String((reads += 1))} ${'word '.repeat(1_500)}`;
    const tools = { has: () => true, call: () => Promise.resolve({ content: [{ type: 'text' as const, text: text() }], isError: false }) };
    const window = windows.open({ tools, config: { maxPromptTokens: 8_000 } });
    const { requests } = callsWithoutEnd(window, 'read');
    const call = window.model.stream.bind(window.model);
    window.model.stream = async function* (model, request, ...rest): AsyncGenerator<StreamPart> {
      if (!request.body.includes('Do not invent details')) {
        yield* call(model, request, ...rest);
        return;
      }
      yield await Promise.resolve({ type: 'text', index: 0, text: 'The user said "Go". Files were read.' });
      yield { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null };
    };
    const session = await window.chats.create();
    const sent = session.conversation.send('Go');
    await asked(session, STEPS_UNASKED);
    assert.equal(requests(), STEPS_UNASKED);
    const { attempts, compactions, pinned } = session.state;
    assert.equal(compactions.size, 5);
    assert.equal(pinned.size, 1, 'the question stays beside each summary');
    const sizes = [...attempts.values()].filter(({ purpose }) => purpose === 'reply').map(({ manifest }) => manifest.size.tokens);
    assert.ok(Math.max(...sizes) <= 7_488, String(sizes));
    for (const { id, purpose } of attempts.values()) {
      const { rebuilt } = await session.records.request(id);
      assert.equal(rebuilt.note, null, `the request for a ${purpose} is rebuilt byte for byte`);
    }
    await session.answers.goOn(true);
    await asked(session, 2 * STEPS_UNASKED);
    await session.answers.goOn(false);
    await sent;
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(sentTexts(reopened.state), sentTexts(session.state));
    assert.equal(requests(), 2 * STEPS_UNASKED);
    const { size, budget } = await session.next.preview({ text: 'And now?', editing: null });
    assert.ok(size.tokens <= budget, `${String(size.tokens)} tokens fit into ${String(budget)}`);
  });

  it('44. that fills the budget by itself goes on without its oldest rounds where no summary can be written', async () => {
    const text = 'word '.repeat(1_500);
    const tools = { has: () => true, call: () => Promise.resolve({ content: [{ type: 'text' as const, text }], isError: false }) };
    const window = windows.open({ tools, config: { maxPromptTokens: 8_000 } });
    const { requests } = callsWithoutEnd(window, 'read');
    const call = window.model.stream.bind(window.model);
    const bodies: string[] = [];
    window.model.stream = async function* (model, request, ...rest): AsyncGenerator<StreamPart> {
      if (request.body.includes('Do not invent details')) {
        throw failure('http.serverFailed', { label: 'House', status: 500, inputLimit: null, refusedMember: null });
      }
      bodies.push(request.body);
      yield* call(model, request, ...rest);
    };
    const session = await window.chats.create();
    const blob = await window.store.blobs(session.id).put(Buffer.from('picture'));
    const image = { type: 'image', blob, mimeType: 'image/png', bytes: 7, width: 2, height: 3 } as const;
    const question = { type: 'text', text: 'Go and read all of the tide tables' } as const;
    const message = { role: 'user', id: '1700000000000-00000001', parts: [question, image], author: null } as const;
    await session.record([{ type: 'message-queued', message }]);
    const sent = session.conversation.sendQueued(message.id);
    await Promise.race([asked(session, STEPS_UNASKED), sent]);
    assert.equal(requests(), STEPS_UNASKED);
    const { attempts, compactions } = session.state;
    assert.ok(compactions.size > 0 && [...compactions.values()].every((each) => each.case === 'emergency'));
    const sizes = [...attempts.values()].filter(({ purpose }) => purpose === 'reply').map(({ manifest }) => manifest.size.tokens);
    assert.ok(Math.max(...sizes) <= 7_488, String(sizes));
    const areWhole = bodies.every((body) => body.includes(question.text) && body.split(blob).length === 2);
    assert.ok(areWhole, 'each request holds the question, with its image once');
    assert.deepEqual([...session.state.pinned], [message.id]);
    for (const { id } of attempts.values()) {
      assert.equal((await session.records.request(id)).rebuilt.note, null, 'each request is rebuilt byte for byte');
    }
    const shown = new EntryViews(() => ANY_MODEL).derive(session.state, 200).entries.filter(({ kind }) => kind === 'summary');
    assert.ok(shown.length > 0, 'a line says what was dropped');
    await session.answers.goOn(false);
    await sent;
    assert.equal(runStatuses(session.state)[0], 'stopped');
    const inUse: number[] = [];
    for (let active = activeCompaction(session.state); active !== null; active = activeCompaction(session.state)) {
      inUse.push(session.state.pinned.size);
      await session.compactor.undo();
      assert.notEqual(activeCompaction(session.state)?.id, active.id, 'Undo brings them back');
    }
    assert.deepEqual([Math.min(...inUse), session.state.pinned.size], [1, 0], 'the pin goes with the last one');
  });
});

for (const dialect of DIALECTS) {
  describe(`a model that calls tools without end (${dialect.protocol})`, () => {
    const houses = useHouses();

    for (const [what, args, stop, most] of [
      ['is stopped after two rounds whose calls the output limit cut', '{"text": "eb', 'length', MOST_IDLE_STEPS],
      ['is stopped after two rounds whose calls are no JSON', '{"text": ebb}', 'toolCalls', MOST_IDLE_STEPS],
    ] as const) {
      it(`44. ${what}`, async () => {
        const reply = dialect.events(says({ calls: [{ id: 'call_1', name: 'echo', args: [args] }], stop }));
        for (let step = 0; step < most; step += 1) {
          houses.server.play(...events(...reply));
        }
        const house = await houses.open(dialect, { tools: new EchoTool() });
        await house.send('Go');
        assert.equal(houses.server.requests.length, most);
        assert.deepEqual(house.note?.actions, ['continue', 'retry']);
      });
    }

    it('44. waits for the user after 25 steps', async () => {
      const reply = dialect.events(says({ calls: [{ id: 'call_1', name: 'echo', args: ['{"text": "ebb"}'] }], stop: 'toolCalls' }));
      for (let step = 0; step < STEPS_UNASKED; step += 1) {
        houses.server.play(...events(...reply));
      }
      const house = await houses.open(dialect, { tools: new EchoTool() });
      const sent = house.send('Go');
      await asked(house.session, STEPS_UNASKED);
      assert.equal(houses.server.requests.length, STEPS_UNASKED);
      await house.session.answers.goOn(false);
      await sent;
    });
  });
}
