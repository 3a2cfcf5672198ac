import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { apiAttempts } from '../../../src/host/api/apiAttempts.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import type { Capabilities, Model } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { COUNT_DELAY_MS } from '../../../src/engine/next/backgroundCount.js';
import { overBudget } from '../../../src/host/request/sizeTexts.js';
import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { lastAttempt, lastReply, partialText, runStatuses, unsentTexts } from '../../support/host/reading.js';
import { SteppedClock, until } from '../../support/host/clocks.js';
import { rejection } from '../../support/rejection.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';

const HELLO = { text: 'Hello', editing: null, messageId: 'draft' };
const SHORT = '/long 3';

function modelWith(change: Partial<Capabilities>): Model {
  return { ...PRACTICE_STANDARD, capabilities: { ...PRACTICE_STANDARD.capabilities, ...change } };
}

/** A model with an unknown tokenizer. Its wrong framing makes counts wrong. */
const ESTIMATED = modelWith({ counterIsExact: false, framing: { perRequest: 43, perMessage: 4, perTool: 8 } });
const COUNTED = modelWith({ counterIsExact: false, countsTokens: true, freeCounts: false });

function countedTokens({ prompt, framingTokens }: Pick<ComposedRequest, 'prompt' | 'framingTokens'>): number {
  return promptBlocks(prompt).reduce((sum, { tokens }) => sum + tokens, framingTokens);
}

describe('the size of a request', () => {
  const windows = useWindows();

  it('is exact where the counter is the model’s own', async () => {
    const session = await windows.open({}).chats.create();
    const { size, ...request } = await session.next.preview(HELLO);
    assert.deepEqual(size, { tokens: countedTokens(request), counted: countedTokens(request), basis: 'exact', error: null });
  });

  describe('where the tokenizer is not known', () => {
    it('is the count before anything was reported', async () => {
      const session = await windows.open({ models: [ESTIMATED] }).chats.create();
      const { size, ...request } = await session.next.preview(HELLO);
      assert.deepEqual(size, { tokens: countedTokens(request), counted: countedTokens(request), basis: 'estimate', error: null });
    });

    it('is corrected by what requests of any chat had, also of a chat that is opened later', async () => {
      const { window, session } = await windows.openChat({ models: [ESTIMATED] }, 'Hello');
      const { manifest, end } = lastAttempt(session.state);
      const factor = (manifest.size.counted - 40) / manifest.size.counted;
      assert.deepEqual(end?.usage?.promptTokens?.source, 'reported');
      const { size } = await (await window.chats.create()).next.preview(HELLO);
      assert.deepEqual([size.basis, size.tokens], ['estimate', Math.round(size.counted * factor)]);
      // One request gives no estimate of the error.
      assert.equal(size.error, null);
      await session.conversation.send('Hello');
      await session.conversation.send('Hello');
      const later = (await (await window.chats.create()).next.preview(HELLO)).size;
      assert.ok(later.error !== null && later.error > 0 && later.error < 1);
      const other = windows.open({ writerId: 'other', models: [ESTIMATED] });
      assert.deepEqual((await (await other.chats.create()).next.preview(HELLO)).size.error, null);
      await other.chats.open(session.id);
      assert.deepEqual((await (await other.chats.create()).next.preview(HELLO)).size, later);
    });

    it('as corrected is what the budget, the output limit and the record go by', async () => {
      const { session } = await windows.openChat({ models: [ESTIMATED] }, SHORT);
      const composed = await session.next.preview(HELLO);
      const { tokens, counted } = composed.size;
      assert.ok(tokens < counted);
      await session.changeConfig({ maxPromptTokens: 512 + tokens });
      assert.equal(overBudget(await session.next.preview(HELLO)), null);
      await session.changeConfig({ maxPromptTokens: 511 + tokens });
      const over = await session.next.preview(HELLO);
      assert.match(overBudget(over) ?? '', new RegExp(`^The request is too long: ${tokens.toLocaleString('en-US')} tokens`));
      await session.changeConfig({ maxPromptTokens: null });
      await session.conversation.send('Hello');
      assert.deepEqual(lastAttempt(session.state).manifest.size, composed.size);
    });

    it('leaves the reply what the window has left of it', async () => {
      const small = { ...ESTIMATED, maxInputTokens: 1_000 };
      const { session } = await windows.openChat({ models: [small] }, SHORT);
      const { size, params } = await session.next.preview(HELLO);
      assert.deepEqual([size.tokens < size.counted, params.maxOutputTokens], [true, 1_000 - size.tokens]);
    });

    it('is what a stopped attempt is booked with, when the provider reported nothing', async () => {
      const { session } = await windows.openChat({ models: [ESTIMATED] }, SHORT, '/error cut');
      const { manifest, end } = lastAttempt(session.state);
      const used = end?.usage;
      assert.ok(used?.completionTokens);
      assert.deepEqual(used.promptTokens, { value: manifest.size.tokens, source: 'estimated' });
      const factor = manifest.size.tokens / manifest.size.counted;
      const counted = windows.counter.count(partialText(session));
      assert.ok(factor < 0.9 && Math.abs(used.completionTokens.value - counted * factor) < 1 + counted * 0.01);
      assert.equal(used.completionTokens.source, 'estimated');
    });
  });

  describe('where the provider counts', () => {
    async function ready(): Promise<{ window: Window; clock: SteppedClock; session: ChatSession; first: ComposedRequest }> {
      const clock = new SteppedClock();
      const { window, session } = await windows.openChat({ clock, models: [COUNTED], config: { compaction: 'off' } });
      return { window, clock, session, first: await session.next.preview(HELLO) };
    }

    it('is an estimate until the count of the very request has come, and then that count', async () => {
      const { window, clock, session, first } = await ready();
      assert.equal(first.size.basis, 'estimate');
      window.model.onCount = () => Promise.resolve(4_321);
      const changes: string[] = [];
      session.onChange((change) => changes.push(change));
      const before = clock.now();
      clock.step();
      await until(() => changes.length > 0, 'the count has come');
      assert.deepEqual([changes, clock.now() - before], [['state'], COUNT_DELAY_MS]);
      const { size } = await session.next.preview(HELLO);
      assert.deepEqual(size, { tokens: 4_321, counted: first.size.counted, basis: 'providerCount', error: null });
      assert.deepEqual(window.model.counted, [first.wire().body]);
      assert.equal((await session.next.preview({ ...HELLO, text: 'Hello you' })).size.basis, 'estimate');
    });

    for (const looks of [true, false]) {
      it(`is not asked for while a reply is on its way, ${looks ? 'for what is looked at then' : 'nor for what was on show before'}`, async () => {
        const { window, clock, session } = await ready();
        const running = session.conversation.send(SHORT);
        if (looks) {
          await session.next.preview(HELLO);
        }
        await until(() => window.model.bodies.length > 0, 'the request is sent');
        while (session.conversation.isRunning) {
          clock.step();
          await new Promise(setImmediate);
        }
        await running;
        assert.deepEqual([window.model.counted, clock.sleepers], [[], 0]);
      });
    }

    it('is not asked for when the chat is being deleted, until it is brought back, nor when the window closes', async () => {
      const { clock, session } = await ready();
      const lookedAt = async (): Promise<number> => {
        await session.next.preview({ ...HELLO, text: `Hello ${clock.sleepers}` });
        return clock.sleepers;
      };
      await session.closeForDeletion('thisWindow');
      assert.equal(await lookedAt(), 0);
      session.reopen();
      assert.equal(await lookedAt(), 1);
      await session.shutDown();
      assert.equal(await lookedAt(), 0);
    });

    it('is still the count of the draft when another text is previewed meanwhile', async () => {
      const { window, clock, session, first } = await ready();
      await session.next.preview({ text: 'A text of another extension', editing: null });
      clock.step();
      await until(() => window.model.counted.length > 0, 'it is counted');
      assert.deepEqual(window.model.counted, [first.wire().body]);
    });

    it('is the same request as the one that is sent', async () => {
      const { window, clock, session } = await ready();
      window.model.onCount = () => Promise.resolve(4_321);
      let isCounted = false;
      session.onChange(() => (isCounted = true));
      clock.step();
      await until(() => isCounted, 'the count has come');
      const running = session.conversation.send('Hello');
      await until(() => window.model.bodies.length > 0, 'the request is sent');
      assert.equal(lastAttempt(session.state).manifest.size.basis, 'providerCount');
      assert.deepEqual(window.model.bodies, window.model.counted);
      await session.conversation.stop();
      await running;
    });

    it('is in the ledger with an unknown price, as a sum with the next message or when the window closes', async () => {
      const { window, clock, session } = await ready();
      window.model.onCount = () => Promise.resolve(4_321);
      for (const text of ['Hello', 'Hello you', 'Hello you there']) {
        await session.next.preview({ ...HELLO, text });
        const before = window.model.counted.length;
        clock.step();
        await until(() => window.model.counted.length > before, 'it is counted');
      }
      const counts = (): readonly unknown[] =>
        apiAttempts(session.state).flatMap(({ purpose, requests, cost }) => (purpose === 'count' ? [[requests, cost]] : []));
      assert.deepEqual(counts(), [], 'no event for a keystroke');
      const sent = session.conversation.send('Hello you there');
      await until(() => window.model.bodies.length > 0, 'the request is sent');
      await session.conversation.stop();
      await sent;
      assert.deepEqual(counts(), [[3, null]]);
      assert.ok(ledgerTotals(session.state).unknownAttempts >= 3, 'what they cost is unknown');
      await session.next.preview({ ...HELLO, text: 'And now' });
      const before = window.model.counted.length;
      clock.step();
      await until(() => window.model.counted.length > before, 'it is counted');
      await session.shutDown();
      assert.deepEqual(counts(), [
        [3, null],
        [1, null],
      ]);
    });

    it('is kept while another window has deleted the chat, and in the ledger once that is undone', async () => {
      const { window, clock, session } = await ready();
      window.model.onCount = () => Promise.resolve(4_321);
      clock.step();
      await until(() => window.model.counted.length > 0, 'it is counted');
      const other = windows.open({ writerId: 'other' });
      await other.chats.open(session.id);
      await other.chats.delete(session.id);
      await window.chats.otherWindows.poll([session.id]);
      assert.deepEqual(window.errors, []);
      await other.chats.undelete(session.id);
      await window.chats.otherWindows.poll([session.id]);
      await session.shutDown();
      assert.equal(ledgerTotals(session.state).unknownAttempts, 1);
    });

    it('stays an estimate when the count fails, which is logged', async () => {
      const { window, clock, session } = await ready();
      window.model.onCount = () => Promise.reject(failureOf('protocol', 'No such path.'));
      clock.step();
      await until(() => window.errors.length > 0, 'it is logged');
      assert.equal((await session.next.preview(HELLO)).size.basis, 'estimate');
      assert.equal(clock.sleepers, 0);
    });

    for (const [name, options, isOffered] of [
      ['cannot', { models: [ESTIMATED] }, false],
      ['can, but whose tokenizer is known', { models: [modelWith({ countsTokens: true })] }, false],
      ['can, but is not allowed to', { models: [COUNTED], countsTokens: false }, true],
    ] as const) {
      it(`is never asked of a provider that ${name}`, async () => {
        const clock = new SteppedClock();
        const { window, session } = await windows.openChat({ clock, ...options });
        const { countable, counting } = await session.next.preview(HELLO);
        assert.deepEqual([countable, counting !== null], [null, isOffered]);
        assert.deepEqual([clock.sleepers, window.model.counted], [0, []]);
      });
    }
  });
});

describe('an overflow that names the real limit', () => {
  const windows = useWindows();

  it('is not repeated, leaves the history as it was, and limits the next request', async () => {
    const { window, session } = await windows.openChat({});
    window.model.failures.push(failureOf('contextOverflow', 'Too long.', { inputLimit: 20 }));
    await session.conversation.send('Hello');
    assert.deepEqual([runStatuses(session.state), unsentTexts(session.state)], [['rolledBack'], ['Hello']]);
    assert.equal(window.model.bodies.length, 1);
    const composed = await session.next.preview(HELLO);
    assert.deepEqual([composed.model.maxInputTokens, composed.budget], [20, 0]);
    const [first = ''] = session.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
    const refused = await rejection(session.conversation.retry(first));
    assert.equal(window.model.bodies.length, 1);
    assert.match(refused.message, /^Loupe cannot send a request: the tokens kept free for the reply fill the whole context limit\./);
  });
});

describe('the images of a request', () => {
  const windows = useWindows();
  const PIXEL = Buffer.from('89504e470d0a1a0a', 'hex');

  async function chatWithImage(
    window: Window,
    isKept: boolean,
  ): Promise<{ session: ChatSession; name: string; errors: readonly LoupeError[] }> {
    const made = await window.chats.create();
    const { id: chatId } = made;
    const name = await window.store.blobs(chatId).put(PIXEL);
    const blob = isKept ? name : 'ab'.repeat(32);
    const message = {
      role: 'user',
      id: 'u',
      parts: [{ type: 'image', blob, mimeType: 'image/png', bytes: null, width: null, height: null }],
      author: null,
    } as const;
    await window.store.journal(chatId).append([{ type: 'message', runId: null, message }], 'durable').written;
    const other = windows.open({ writerId: 'other' });
    return { session: await other.chats.open(chatId), name: blob, errors: other.errors };
  }

  it('reach the provider as bytes, when it is sent and when it is rebuilt', async () => {
    const { session, name } = await chatWithImage(windows.open({}), true);
    const composed = await session.next.preview(HELLO);
    assert.deepEqual(composed.adaptations, NO_ADAPTATIONS);
    const [given] = await imagesGiven(session, composed);
    assert.deepEqual([...(given ?? [])], [[name, PIXEL.toString('base64')]]);
    await session.conversation.send('Hello');
    const { rebuilt } = await session.records.request(lastReply(session.state).id);
    assert.equal(rebuilt.note, null);
  });

  it('become a note when their bytes are lost, which is said and logged', async () => {
    const { session, name, errors } = await chatWithImage(windows.open({}), false);
    const composed = await session.next.preview(HELLO);
    assert.deepEqual(composed.adaptations, { ...NO_ADAPTATIONS, imagesLeftOut: 1 });
    await session.conversation.send('Hello');
    const told = errors.map(({ kind, message }) => [kind, message.includes(name)]);
    assert.deepEqual(told, [['storage', true]]);
    assert.deepEqual(lastAttempt(session.state).manifest.adaptations.imagesLeftOut, 1);
    assert.equal((await session.records.request(lastReply(session.state).id)).rebuilt.note, null);
  });

  async function imagesGiven(session: ChatSession, composed: ComposedRequest): Promise<ReadonlyMap<string, string>[]> {
    const given: ReadonlyMap<string, string>[] = [];
    const { client } = composed;
    const convert = client.convert.bind(client);
    client.convert = (model, prompt, params, images) => {
      given.push(images);
      return convert(model, prompt, params, images);
    };
    (await session.next.preview(HELLO)).wire();
    client.convert = convert;
    return given;
  }
});
