import assert from 'node:assert/strict';
import { LONGEST_EMBEDDED, SCALE_TEXTS } from '../../../../src/engine/context/rank/meaning.js';
import { contextRecordsOf } from '../../../../src/engine/request/rebuild.js';
import { ledgerTotals } from '../../../../src/engine/chat/ledger.js';
import { apiAttempts } from '../../../../src/host/api/apiAttempts.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { LONGEST_WAIT_MS, TEXTS_AT_ONCE } from '../../../../src/host/context/catalog/meaningRanker.js';
import { contextRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import { column } from '../../../support/columns.js';
import { RunningClock, SteppedClock, stepUntil, until } from '../../../support/host/clocks.js';
import { UsageRows } from '../../../../src/host/usage/usageRows.js';
import { NO_OTHERS, openUsage } from '../../../support/host/openUsage.js';
import { type ChatAmongFiles, chatAmongFiles } from '../../../support/host/filesInChat.js';
import { EchoTool, lastAttempt } from '../../../support/host/reading.js';
import { type WindowOptions, useWindows } from '../../../support/host/window.js';
import { EmbeddingServer, embedderAt, pricedEmbedderAt } from '../../../support/http/embeddingServer.js';

/** The subject of a text for a model that knows those of the pairs. All others are one subject. */
function subjectOf(text: string): number {
  if (/tides|sea level/i.test(text)) {
    return 0;
  }
  if (/lighthouse/i.test(text)) {
    return 1;
  }
  if (text.startsWith('Kept')) {
    return 2;
  }
  const pair = SCALE_TEXTS.indexOf(text);
  return pair === -1 ? 3 : 4 + Math.floor(pair / 2);
}

/** Texts of one subject have nearly the same vector. */
function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: 4 + SCALE_TEXTS.length / 2 }, (_, at) => ((text.length + at) % 7) / 50);
  vector[subjectOf(text)] = 1;
  return vector;
}

/** Its time passes automatically, but the endpoint is never late. */
class PatientClock extends RunningClock {
  override sleep(ms: number, signal: AbortSignal): Promise<void> {
    return ms < LONGEST_WAIT_MS
      ? super.sleep(ms, signal)
      : new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        });
  }
}

const RULES = {
  '.loupe/rules/tides.md': '---\nname: Tides\ninclude: agent\ndescription: Of harbours.\n---\n# Tables\nIn metres.',
  '.loupe/rules/light.md': '---\nname: Lighthouses\ninclude: agent\n---\nPainted white.',
  '.loupe/rules/always.md': '---\nname: Fixed\ninclude: always\n---\nSecret of what is always in.',
  '.loupe/rules/manual.md': '---\nname: By hand\ninclude: manual\n---\nSecret of what is by hand.',
  '.loupe/rules/off.md': '---\nname: Off\ninclude: agent\nenabled: false\n---\nSecret of what is off.',
  '.loupe/rules/kept.md': '---\nname: Kept\ninclude: agent\n---\nSecret of what is in the chat.',
};

/** No rule contains any of its words. */
const MESSAGE = 'When does the sea level rise?';

describe('what is picked by meaning', () => {
  const windows = useWindows();
  const server = new EmbeddingServer((texts) => Promise.resolve(texts.map(vectorOf)));

  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    server.asked.length = 0;
    server.status = 200;
    server.usage = null;
  });

  const open = (options: WindowOptions): Promise<ChatAmongFiles> =>
    chatAmongFiles(windows, RULES, { embedder: embedderAt(server.url, 'small', null), clock: new PatientClock(), ...options });

  function picked({ state }: ChatSession): readonly string[] {
    const records = contextRecordsOf(lastAttempt(state), state.attempts) ?? assert.fail('The record is damaged.');
    return records.flatMap(({ item, leftOut }) => (leftOut === null && item.includeMode === 'agent' ? [item.name] : []));
  }

  function told({ state }: ChatSession): string | undefined {
    return contextRows(lastAttempt(state), state)?.picks?.text;
  }

  it('is what no word finds, with its score, and the reply says how', async () => {
    const { session } = await open({});
    await session.conversation.send(MESSAGE);
    assert.deepEqual(picked(session), ['Tides']);
    const score = contextRecordsOf(lastAttempt(session.state), session.state.attempts)?.find(({ item }) => item.name === 'Tides')?.item
      .similarityScore;
    assert.ok(score !== undefined && score >= 0.45 && score <= 0.5, String(score));
    assert.equal(
      told(session),
      `Loupe picked items by words and meaning, and sent ${String(SCALE_TEXTS.length + 4)} texts to house/small.`,
    );
    await session.conversation.send('Good morning');
    assert.deepEqual(picked(session), [], 'a message about something else picks nothing');
  });

  it('takes the message, the items that could be picked, and the texts of the scale, no others, and each once', async () => {
    const { session, files } = await open({});
    await session.context.add({ type: 'rule', name: 'Kept', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send(MESSAGE);
    assert.deepEqual(
      server.texts.toSorted(),
      [...SCALE_TEXTS, 'Tides\nOf harbours.\n# Tables\nIn metres.', 'Lighthouses\nPainted white.', MESSAGE].sort(),
    );
    assert.ok(server.asked.every(({ model, input }) => model === 'small' && input.length <= TEXTS_AT_ONCE));
    server.asked.length = 0;
    files.texts.set('.loupe/rules/light.md', RULES['.loupe/rules/light.md'].replace('white', 'red'));
    await session.conversation.send(`${MESSAGE} ${'Again. '.repeat(LONGEST_EMBEDDED)}`);
    assert.deepEqual(server.texts, [
      'Lighthouses\nPainted red.',
      `${MESSAGE} ${'Again. '.repeat(LONGEST_EMBEDDED)}`.slice(0, LONGEST_EMBEDDED),
    ]);
  });

  it('takes what the agent of the chat may pick, as its profile has it', async () => {
    const { session, files } = await open({ config: { agent: 'Pilot' } });
    const profile = '---\nname: Pilot\nrules:\n  By hand: agent\n  Lighthouses: manual\n---\nYou know the coast.';
    files.texts.set('.loupe/agents/pilot.md', profile);
    await session.conversation.send(MESSAGE);
    const asked = server.texts.filter((text) => !SCALE_TEXTS.includes(text));
    assert.deepEqual(asked.toSorted(), [
      'By hand\nSecret of what is by hand.',
      'Kept\nSecret of what is in the chat.',
      'Tides\nOf harbours.\n# Tables\nIn metres.',
      MESSAGE,
    ]);
  });

  it('asks nothing while you write: the preview is by words', async () => {
    const { session } = await open({});
    const { context } = await session.next.preview({ text: MESSAGE, editing: null });
    assert.equal(context.selection.picked.length, 0);
    assert.equal((await session.next.preview({ text: 'Which tides?', editing: null })).context.selection.picked.length, 1);
    assert.deepEqual(server.asked, []);
  });

  it('asks nothing in a workspace that is not trusted, nor where nothing could be picked', async () => {
    const { session, files } = await open({});
    files.isTrusted = false;
    await session.conversation.send(MESSAGE);
    files.isTrusted = true;
    for (const path of ['tides', 'light', 'kept']) {
      files.texts.delete(`.loupe/rules/${path}.md`);
    }
    await session.conversation.send(MESSAGE);
    assert.deepEqual([server.asked, told(session)], [[], undefined]);
  });

  it('is once for a message, however often its request is made again', async () => {
    const { session, window } = await open({ tools: new EchoTool() });
    await session.conversation.send('/tool echo {"text":"sea level"}');
    assert.equal(window.model.bodies.length, 2);
    assert.equal(server.texts.filter((text) => text.startsWith('/tool')).length, 1);
  });

  it('gives way to words when the endpoint fails, and the reply and the log say so', async () => {
    server.status = 500;
    const { session, window } = await open({});
    await session.conversation.send(`Which tides? ${MESSAGE}`);
    assert.deepEqual(picked(session), ['Tides']);
    assert.equal(told(session), 'Loupe picked items only by words. House: Server error (HTTP 500).');
    assert.deepEqual(column(window.errors, 'code'), ['http.serverFailed']);
  });

  it('gives way to words when the endpoint is late, and the reply is there', async () => {
    server.status = null;
    const clock = new SteppedClock();
    const { session } = await open({ clock });
    const sent = session.conversation.send(`Which tides? ${MESSAGE}`);
    await until(() => server.asked.length === 1, 'the endpoint is asked');
    let hasEnded = false;
    void sent.then(() => {
      hasEnded = true;
    });
    await stepUntil(clock, () => hasEnded, 'the reply is there');
    assert.deepEqual(picked(session), ['Tides']);
    assert.equal(told(session), 'Loupe picked items only by words. House did not send its embeddings within 10 seconds.');
  });

  it('is not waited for after Stop, and nothing is sent then', async () => {
    server.status = null;
    const { session, window } = await open({ clock: new SteppedClock() });
    const sent = session.conversation.send(MESSAGE);
    await until(() => server.asked.length === 1, 'the endpoint is asked');
    await session.conversation.stop();
    await sent;
    assert.deepEqual([window.model.bodies, window.errors], [[], []]);
  });

  it('is compared anew when another model answers under the same name', async () => {
    const longer = new EmbeddingServer((texts) => Promise.resolve(texts.map((text) => [...vectorOf(text), 0])));
    await longer.start();
    try {
      const before = embedderAt(server.url, 'small', null);
      let now = before;
      const { session } = await open({ embedder: { ...before, embed: (...asked) => now.embed(...asked) } });
      await session.conversation.send(MESSAGE);
      now = embedderAt(longer.url, 'small', null);
      await session.conversation.send(`${MESSAGE} Now?`);
      assert.deepEqual(
        [picked(session), told(session)],
        [[], 'Loupe picked items only by words. House sent no usable embeddings: they differ in length.'],
      );
      await session.conversation.send(`${MESSAGE} And now?`);
      assert.deepEqual(picked(session), ['Tides']);
    } finally {
      await longer.stop();
    }
  });

  function paid({ state }: ChatSession): readonly unknown[] {
    return apiAttempts(state).flatMap(({ purpose, model, requests, usage, cost, costAtLeast }) =>
      purpose === 'embedding' ? [{ model, requests, tokens: usage?.promptTokens ?? null, cost, costAtLeast }] : [],
    );
  }

  it('is in the ledger of the chat, in Usage by its purpose and in the API, at the price of its model', async () => {
    server.usage = { prompt_tokens: 1_000, total_tokens: 1_000 };
    const { session, window } = await open({ embedder: pricedEmbedderAt(server.url, 'small', 20) });
    await session.conversation.send(MESSAGE);
    const requests = server.asked.length;
    assert.deepEqual(paid(session), [
      { model: 'house/small', requests, tokens: requests * 1_000, cost: requests * 0.02, costAtLeast: false },
    ]);
    assert.equal(ledgerTotals(session.state).cost, requests * 0.02);
    assert.equal((await window.chats.usage.all()).cost, requests * 0.02);
    const opened = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await opened.view.show(null);
    await until(() => opened.state().figures !== null, 'the chats are read');
    const [part] = opened.figures().legend.filter(({ key }) => key === 'embedding');
    assert.deepEqual([part?.sum.usd, part?.sum.requests], [requests * 0.02, requests]);
    const [row] = opened.requests().rows.filter(({ purpose }) => purpose === 'Embeddings');
    assert.deepEqual([row?.requests, row?.opens, row?.isElsewhere], [requests, false, false]);
    opened.view.dispose();
  });

  it('has a counted usage where its server reports none, and no price where its model has none', async () => {
    const { session } = await open({});
    await session.conversation.send(MESSAGE);
    const usages = [...session.state.sideRequests.values()].map(({ usage, cost }) => [usage?.promptTokens?.source, cost]);
    assert.deepEqual(usages, [['estimated', null]]);
    assert.equal(ledgerTotals(session.state).unknownAttempts, server.asked.length, 'what they cost is unknown');
  });

  it('is free where its server turned it down, and of unknown price where no answer came', async () => {
    server.status = 500;
    const embedder = pricedEmbedderAt(server.url, 'small', 20);
    const { session } = await open({ embedder });
    await session.conversation.send(MESSAGE);
    assert.deepEqual(
      [paid(session), ledgerTotals(session.state).unknownAttempts],
      [[{ model: 'house/small', requests: 1, tokens: null, cost: null, costAtLeast: false }], 0],
    );
    server.status = null;
    const { session: other } = await open({ embedder, clock: new SteppedClock() });
    const sent = other.conversation.send(MESSAGE);
    await until(() => server.asked.length === 2, 'the endpoint is asked');
    await other.conversation.stop();
    await sent;
    assert.equal(ledgerTotals(other.state).unknownAttempts, 1);
  });

  it('counts where the chat is deleted before an answer came', async () => {
    server.status = null;
    const { session, window } = await open({ embedder: pricedEmbedderAt(server.url, 'small', 20), clock: new SteppedClock() });
    const sent = session.conversation.send(MESSAGE);
    await until(() => server.asked.length === 1, 'the endpoint is asked');
    await window.chats.delete(session.id);
    await sent;
    assert.equal((await window.chats.usage.all()).unknownAttempts, 1);
  });

  it('gives way to words when a cap is reached, and nothing is sent then', async () => {
    const embedder = pricedEmbedderAt(server.url, 'small', 20);
    const { session } = await open({ embedder, spend: () => ({ askAbove: null, capPerChat: 0.000_01, capPerDay: null }) });
    await session.conversation.send(`Which tides? ${MESSAGE}`);
    assert.deepEqual([server.asked, picked(session)], [[], ['Tides']]);
    assert.equal(
      told(session),
      'Loupe picked items only by words. Loupe sent nothing to House, because the request may cost more than your limits (loupe.spend) allow.',
    );
  });
});
