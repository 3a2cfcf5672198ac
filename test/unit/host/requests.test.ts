import assert from 'node:assert/strict';
import { inputTokens } from '../../../src/engine/accounting/usage.js';
import type { AttemptState } from '../../../src/engine/chat/fold.js';
import { promptBlocks } from '../../../src/engine/prompt/block.js';
import { overBudget } from '../../../src/host/chat/requests.js';
import { nextRequestView } from '../../../src/host/view/nextRequest.js';
import { sha256 } from '../../../src/host/systemPorts.js';
import { EchoTool, lastAttempt, lastReply, lastUser, unsentTexts } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { openPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const file = (name: string) =>
  ({ type: 'file', name, includeMode: 'manual', addedHash: null, givenContent: null }) as const;

const HELLO = { text: 'Hello', editing: null };

describe('the requests of a chat', () => {
  const windows = useWindows();

  function reportedInput(attempt: AttemptState): number | null {
    const usage = attempt.end?.usage ?? null;
    return usage === null ? null : inputTokens(usage);
  }

  describe('agree in their numbers', () => {
    const TURNS = [
      'Hello',
      '/tool echo {"text": "one"}\n/tool echo {"text": "two"}',
      '/long 30',
      'What do you see? ✓ 漢字 🎈',
      '/tool missing {}',
    ];

    it('before sending, as recorded, as the provider counts them, in the API and in the panel', async () => {
      const files = new MemoryFiles();
      const window = windows.open({ files, tools: new EchoTool() });
      const { api, drafts, panel, webview } = openPanel(window, { currentChat: undefined });
      const session = await window.chats.create();
      panel.show(session);
      panel.ready();
      for (const [turn, text] of TURNS.entries()) {
        files.texts.set(`src/${String(turn)}.ts`, `export const turn = ${String(turn)};\n`.repeat(50 * turn + 1));
        await session.addContext(file(`src/${String(turn)}.ts`));
        drafts.typed(session.id, text, turn);
        const preview = await api.previewNextRequest(session.id);
        const sentBefore = window.model.bodies.length;
        await session.send(text);
        const attempts = [...session.state.attempts.values()].slice(sentBefore);
        assert.equal(preview.body, window.model.bodies[sentBefore]);
        assert.equal(preview.totalTokens, attempts[0]?.manifest.totalTokens);
        assert.equal(preview.problem, null);
        for (const attempt of attempts) {
          assert.equal(reportedInput(attempt), attempt.manifest.totalTokens);
        }
        const request = await api.getRequest(session.id, lastReply(session.state).id);
        assert.equal(request.body, window.model.bodies.at(-1));
        assert.deepEqual([request.exact, request.note], [true, null]);
        assert.equal(request.totalTokens, reportedInput(lastAttempt(session.state)));
        assert.ok(request.totalTokens > request.blocks.reduce((sum, block) => sum + block.tokens, 0));
        panel.resync();
        const line = webview.reply?.usage;
        assert.equal(line?.inputTokens, request.totalTokens);
        assert.equal(webview.reply?.contextUsed?.totalTokens, request.totalTokens);
        const { contextWindow } = await api.getUsage(session.id);
        assert.equal(contextWindow, request.totalTokens + (line.outputTokens ?? 0));
        drafts.typed(session.id, '', 1);
      }
      const usage = await api.getUsage(session.id);
      const { messages } = await api.getChat(session.id);
      const used = messages.flatMap((message) => message.usage ?? []);
      const sum = (figure: (each: (typeof used)[number]) => number | null): number =>
        used.reduce((total, each) => total + (figure(each) ?? 0), 0);
      assert.equal(usage.attempts, used.length);
      assert.equal(usage.promptTokens, sum((each) => each.promptTokens));
      assert.equal(usage.cacheReadInputTokens, sum((each) => each.cacheReadInputTokens));
      assert.equal(usage.cacheCreationInputTokens, sum((each) => each.cacheCreationInputTokens));
      assert.equal(usage.completionTokens, sum((each) => each.completionTokens));
      assert.equal(usage.cost, sum((each) => each.cost));
      // The files are long enough that the cache was written and read: else this would prove little.
      assert.ok(usage.cacheReadInputTokens > 0 && usage.cacheCreationInputTokens > 0);
    });

    it('and the parts of the meter add up to the whole', async () => {
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let a;');
      const window = windows.open({ files, config: { systemPrompt: 'Be brief.' } });
      const session = await window.chats.create();
      await session.addContext(file('a.ts'));
      session.setFragment('style', 'Write in English.');
      const composed = await session.preview(HELLO);
      const view = nextRequestView(composed);
      assert.deepEqual(view.shares.map(({ category }) => category), ['system', 'files', 'conversation', 'framing']);
      assert.equal(view.shares.reduce((total, share) => total + share.tokens, 0), view.totalTokens);
      const framing = view.shares.find(({ category }) => category === 'framing')?.tokens ?? 0;
      assert.equal(view.blocks.reduce((total, row) => total + row.tokens, 0) + framing, view.totalTokens);
      assert.deepEqual(
        view.blocks.map(({ label, count }) => [label, count]),
        [['System prompt', 2], ['Fragment style', 1], ['Introduction of the files', 2], ['a.ts', 1], ['Conversation', 1]],
      );
      assert.deepEqual([view.exact, view.problem, view.budget], [true, null, 128_000 - 512]);
      assert.equal(view.inputCost, (view.totalTokens * 3) / 1_000_000);
    });
  });

  describe('previewed', () => {
    it('hold the draft; without one they end with what was said', async () => {
      const session = await windows.open({}).chats.create();
      await session.send('/long 3');
      const lastBlock = async (draft: string): Promise<unknown> =>
        promptBlocks((await session.preview({ text: draft, editing: null })).assembled.prompt).at(-1)?.part;
      assert.deepEqual(await lastBlock('My draft'), { type: 'text', text: 'My draft' });
      assert.deepEqual(await lastBlock('  '), { type: 'text', text: 'Practice text that.' });
    });

    it('while a message is edited are those of the edited conversation', async () => {
      const window = windows.open({});
      const { api, app, drafts } = openPanel(window, { currentChat: undefined });
      const session = await window.chats.create();
      await session.send('/long 200');
      const first = lastUser(session.state).id;
      await session.send('/long 300');
      app.beginEdit(session, first);
      drafts.typed(session.id, '/long 3', 1);
      const preview = await api.previewNextRequest(session.id);
      await app.sendDraft(session, '/long 3');
      assert.equal(preview.totalTokens, lastAttempt(session.state).manifest.totalTokens);
      assert.equal(preview.body, window.model.bodies.at(-1));
    });

    it('change nothing in the chat', async () => {
      const window = windows.open({});
      const session = await window.chats.create();
      const { events } = await window.store.readChat(session.id);
      await session.preview({ text: 'My draft', editing: null });
      assert.equal((await window.store.readChat(session.id)).events.length, events.length);
      assert.deepEqual(window.model.bodies, []);
    });
  });

  describe('over the budget', () => {
    it('are not sent; the message stays unsent, and the largest parts are named', async () => {
      const files = new MemoryFiles();
      files.texts.set('large.ts', 'word '.repeat(900));
      files.texts.set('larger.ts', 'word '.repeat(1_000));
      files.texts.set('small.ts', 'word');
      const window = windows.open({ files, config: { maxPromptTokens: 1_512 } });
      const session = await window.chats.create();
      for (const name of files.texts.keys()) {
        await session.addContext(file(name));
      }
      const composed = await session.preview(HELLO);
      assert.equal(composed.budget, 1_000);
      await session.send('Hello');
      assert.deepEqual(window.model.bodies, []);
      assert.deepEqual(unsentTexts(session.state), ['Hello']);
      const error = [...session.state.runs.values()].at(-1)?.error;
      assert.equal(error?.kind, 'contextOverflow');
      assert.equal(error.message, overBudget(composed));
      const total = composed.assembled.totalTokens.toLocaleString('en-US');
      const tokens = (name: string): string =>
        (promptBlocks(composed.assembled.prompt).find(({ key }) => key === `file:${name}`)?.tokens ?? 0).toLocaleString('en-US');
      assert.ok(error.message.startsWith(`The request has ${total} tokens, more than the 1,000 this chat may send. `));
      assert.ok(error.message.includes(`Its largest parts: larger.ts (${tokens('larger.ts')}), large.ts (${tokens('large.ts')}), the system prompt (`));
    });

    it('by a single token are refused; with exactly the budget they are sent', async () => {
      const window = windows.open({});
      const session = await window.chats.create();
      const { assembled } = await session.preview(HELLO);
      await session.changeConfig({ maxPromptTokens: assembled.totalTokens + 511 });
      assert.notEqual(overBudget(await session.preview(HELLO)), null);
      await session.changeConfig({ maxPromptTokens: assembled.totalTokens + 512 });
      assert.equal(overBudget(await session.preview(HELLO)), null);
      await session.send('Hello');
      assert.equal(window.model.bodies.length, 1);
    });
  });

  describe('rebuilt', () => {
    it('are found by message and by attempt, also on a branch that was left', async () => {
      const window = windows.open({});
      const session = await window.chats.create();
      await session.send('/long 3');
      const left = lastAttempt(session.state).id;
      await session.edit(lastUser(session.state).id, '/long 4');
      for (const [index, id] of [left, lastReply(session.state).id].entries()) {
        const { attempt, rebuilt } = await session.request(id);
        assert.equal(rebuilt.body, window.model.bodies[index]);
        assert.equal(sha256(rebuilt.body), attempt.manifest.bodyHash);
        assert.equal(rebuilt.note, null);
      }
    });

    it('do not exist for other messages', async () => {
      const session = await windows.open({}).chats.create();
      await session.send('/long 3');
      for (const id of [lastUser(session.state).id, 'unknown']) {
        const error = await rejection(session.request(id));
        assert.match(error.message, /^No context data available/);
      }
    });

    it('are those that were sent, whatever became of files, settings and fragments', async () => {
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let before;'.repeat(5_000));
      const window = windows.open({ files });
      const session = await window.chats.create();
      await session.addContext(file('a.ts'));
      session.setFragment('x', 'A fragment.');
      await session.send('/long 3');
      const { id } = lastReply(session.state);
      files.texts.set('a.ts', 'let after;');
      session.setFragment('x', null);
      await session.changeConfig({ systemPrompt: 'Other.', cacheMode: 'all-off' });
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      for (const each of [session, reopened]) {
        const { rebuilt } = await each.request(id);
        assert.equal(rebuilt.body, window.model.bodies[0]);
        assert.ok(rebuilt.body.includes('let before;') && rebuilt.body.includes('A fragment.'));
      }
    });

    it('say so when the settings of the model have changed since', async () => {
      const session = await windows.open({}).chats.create();
      await session.send('/long 3');
      const [standard] = windows.open({ writerId: 'x' }).models.list();
      assert.ok(standard);
      const renamed = { ...standard, ref: { ...standard.ref } };
      const window = windows.open({ writerId: 'other', models: [renamed] });
      const convert = window.model.convert.bind(window.model);
      window.model.convert = (model, prompt, params) => {
        const wire = convert(model, prompt, params);
        return { body: `${wire.body} `, converterVersion: 'practice/2' };
      };
      const reopened = await window.chats.open(session.id);
      const { rebuilt } = await reopened.request(lastReply(reopened.state).id);
      assert.equal(rebuilt.note, 'Rebuilt by a newer converter (practice/2) than the one that sent it (practice/1).');
    });
  });

  describe('with fragments', () => {
    it('carry them in the system prompt until they are removed', async () => {
      const window = windows.open({});
      const session = await window.chats.create();
      session.setFragment('rule', 'Always rhyme.');
      await session.send('/long 3');
      session.setFragment('rule', null);
      await session.send('/long 3');
      const rhymes = window.model.bodies.map((body) => body.includes('Always rhyme.'));
      assert.deepEqual(rhymes, [true, false]);
    });
  });
});
