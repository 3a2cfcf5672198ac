import assert from 'node:assert/strict';
import { inputTokens } from '../../../src/engine/model/usage.js';
import type { ModelRef } from '../../../src/engine/model/modelRef.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { ModelClient } from '../../../src/engine/model/model.js';
import { overBudget } from '../../../src/host/request/sizeTexts.js';
import { loadConverter } from '../../../src/host/models/converters.js';
import { VSCODE_PROTOCOL } from '../../../src/host/models/languageModels/wire.js';
import { fixedSource, type ProviderSource } from '../../../src/host/models/registry.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { ANTHROPIC_PROTOCOL } from '../../../src/providers/anthropic/defaults.js';
import { OPENAI_COMPATIBLE_PROTOCOL } from '../../../src/providers/openaiCompatible/defaults.js';
import { PRACTICE_PROTOCOL, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { EchoTool, lastAttempt, lastReply, lastUser, unsentTexts } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { openPanel } from '../../support/host/panel.js';
import { DEFAULTS, MemoryFiles, useWindows } from '../../support/host/window.js';
import { readChat } from '../../support/storage/readChat.js';

/** A configured provider and the received bodies. Its model binds its reasoning to the prefix. */
async function configuredHouse(
  protocol: string,
): Promise<{ readonly ref: ModelRef; readonly source: ProviderSource; readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const converter = await loadConverter(protocol);
  assert.ok(converter);
  const client: ModelClient = {
    convert: converter.convert,
    countTokens: () => Promise.resolve(1),
    async *stream(_, { body }) {
      bodies.push(body);
      yield { type: 'reasoning', index: 0, text: 'Hm' };
      yield { type: 'reasoningSigned', index: 0, opaque: `signature ${bodies.length}` };
      yield { type: 'text', index: 1, text: 'Hi' };
      yield { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null };
    },
  };
  const ref = { provider: 'house', model: 'large' };
  const capabilities = { ...PRACTICE_STANDARD.capabilities, reasoningReplay: 'samePrefix' } as const;
  const model = { ...PRACTICE_STANDARD, ref, protocol, label: 'Large', capabilities, extraBody: { temperature: 0.5 } };
  const provider = { id: 'house', label: 'House', countsTokens: false, models: [model], loadClient: () => Promise.resolve(client) };
  return { ref, source: fixedSource([provider]), bodies };
}

const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
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
      const window = windows.open({ files, tools: new EchoTool(), models: BILLED_MODELS });
      const { api, drafts, panel, webview } = openPanel(window, { currentChat: undefined });
      const session = await window.chats.create();
      panel.show(session);
      panel.ready();
      for (const [turn, text] of TURNS.entries()) {
        files.texts.set(`src/${String(turn)}.ts`, `export const turn = ${String(turn)};\n`.repeat(50 * turn + 1));
        await session.context.add(file(`src/${String(turn)}.ts`));
        drafts.typed(session.id, text, { panel: 'view', number: turn });
        const preview = await api.previewNextRequest(session.id);
        const sentBefore = window.model.bodies.length;
        await session.conversation.send(text);
        const attempts = [...session.state.attempts.values()].slice(sentBefore);
        assert.equal(preview.body, window.model.bodies[sentBefore]);
        assert.equal(preview.totalTokens, attempts[0]?.manifest.size.tokens);
        assert.equal(preview.problem, null);
        for (const attempt of attempts) {
          assert.equal(reportedInput(attempt), attempt.manifest.size.tokens);
        }
        const request = await api.getRequest(session.id, lastReply(session.state).id);
        assert.equal(request.body, window.model.bodies.at(-1));
        assert.deepEqual([request.exact, request.note], [true, null]);
        assert.equal(request.totalTokens, reportedInput(lastAttempt(session.state)));
        assert.ok(request.totalTokens > request.blocks.reduce((sum, block) => sum + block.tokens, 0));
        panel.channel.snapshot();
        const line = webview.reply?.usage;
        assert.equal(line?.inputTokens, request.totalTokens);
        assert.equal(webview.reply?.contextUsed?.totalTokens, request.totalTokens);
        const { contextWindow } = await api.getUsage(session.id);
        assert.equal(contextWindow, request.totalTokens + (line.outputTokens ?? 0));
        drafts.typed(session.id, '', { panel: 'view', number: 1 });
      }
      const usage = await api.getUsage(session.id);
      const { messages } = await api.getChat(session.id);
      const used = messages.flatMap((message) => message.usage ?? []);
      const sum = (figure: (each: (typeof used)[number]) => number | null): number =>
        used.reduce((total, each) => total + (figure(each) ?? 0), 0);
      assert.equal(usage.attempts, used.length);
      for (const figure of ['promptTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens', 'completionTokens'] as const) {
        const whole = sum((each) => each[figure]);
        assert.equal(usage[figure], whole, figure);
      }
      assert.equal(usage.cost, Number(sum((each) => each.cost).toFixed(12)));
      // The files are long enough for cache reads and writes.
      assert.ok(usage.cacheReadInputTokens > 0 && usage.cacheCreationInputTokens > 0);
    });

    it('and the parts of the meter add up to the whole', async () => {
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let a;');
      const { session } = await windows.openChat({ files, config: { systemPrompt: 'Be brief.' } });
      await session.context.add(file('a.ts'));
      await session.fragments.set('style', 'Write in English.');
      const composed = await session.next.preview(HELLO);
      const rows = nextRequestRows(composed).blocks;
      const view = nextRequestView(composed, rows, session.state);
      assert.deepEqual(column(view.shares, 'category'), ['system', 'files', 'conversation', 'framing']);
      const sum = view.shares.reduce((total, share) => total + share.tokens, 0);
      assert.equal(sum, view.totalTokens);
      const framing = view.shares.find(({ category }) => category === 'framing')?.tokens ?? 0;
      assert.equal(rows.reduce((total, row) => total + row.tokens, 0) + framing, view.totalTokens);
      assert.deepEqual(columns(rows, 'label', 'count'), [
        ['System prompt', 2],
        ['Instructions from style', 1],
        ['Text around files', 1],
        ['a.ts', 1],
        ['Conversation', 1],
      ]);
      assert.deepEqual([view.basis, view.problem, view.budget], ['exact', null, 128_000 - 512]);
      assert.equal(view.inputCost, (view.totalTokens * 3) / 1_000_000);
    });
  });

  describe('previewed', () => {
    it('hold the draft; without one they end with what was said', async () => {
      const { session } = await windows.openChat({}, '/long 3');
      const lastBlock = async (draft: string): Promise<unknown> =>
        promptBlocks((await session.next.preview({ text: draft, editing: null })).prompt).at(-1)?.part;
      assert.deepEqual(await lastBlock('My draft'), { type: 'text', text: 'My draft' });
      assert.deepEqual(await lastBlock('  '), { type: 'text', text: 'Practice text that.' });
    });

    it('while a message is edited are those of the edited conversation', async () => {
      const window = windows.open({});
      const { api, drafts, draftActions: composer } = openPanel(window, { currentChat: undefined });
      const session = await window.chats.create();
      await session.conversation.send('/long 200');
      const first = lastUser(session.state).id;
      await session.conversation.send('/long 300');
      await composer.beginEdit(session, first);
      drafts.typed(session.id, '/long 3', { panel: 'view', number: 1 });
      const preview = await api.previewNextRequest(session.id);
      await composer.send(session, '/long 3');
      assert.equal(preview.totalTokens, lastAttempt(session.state).manifest.size.tokens);
      assert.equal(preview.body, window.model.bodies.at(-1));
    });

    it('change nothing in the chat', async () => {
      const { window, session } = await windows.openChat({});
      const { events } = await readChat(window.store, session.id);
      await session.next.preview({ text: 'My draft', editing: null });
      assert.equal((await readChat(window.store, session.id)).events.length, events.length);
      assert.deepEqual(window.model.bodies, []);
    });
  });

  describe('over the budget', () => {
    it('are not sent; the message stays unsent, and the largest parts are named', async () => {
      const files = new MemoryFiles();
      files.texts.set('large.ts', 'word\n'.repeat(900));
      const { window, session } = await windows.openChat({ files, config: { maxPromptTokens: 1_512, systemPrompt: 'word '.repeat(900) } });
      await session.context.add(file('large.ts'));
      const text = 'word '.repeat(1_000).trim();
      const composed = await session.next.preview({ text, editing: null });
      assert.equal(composed.budget, 1_000);
      await session.conversation.send(text);
      assert.deepEqual(window.model.bodies, []);
      assert.deepEqual(unsentTexts(session.state), [text]);
      const error = [...session.state.runs.values()].at(-1)?.error;
      assert.equal(error?.kind, 'contextOverflow');
      assert.equal(error.message, overBudget(composed));
      const total = composed.size.tokens.toLocaleString('en-US');
      const tokens = (begin: string): string =>
        (promptBlocks(composed.prompt).find(({ key }) => key.startsWith(begin))?.tokens ?? 0).toLocaleString('en-US');
      assert.ok(error.message.startsWith(`The request is too long: ${total} tokens, limit 1,000. `));
      // The file is not in it: it was dropped first, which was not enough.
      assert.ok(
        error.message.includes(
          `Largest parts: your message ${tokens('message:')}, system prompt ${tokens('system:agent')}, system prompt `,
        ),
      );
    });

    it('name no parts where none of them is large', async () => {
      const session = await windows.open({}).chats.create();
      for (let turns = 0; turns < 30; turns += 1) {
        await session.conversation.send('/long 8');
      }
      await session.changeConfig({ maxPromptTokens: DEFAULTS.reservedResponseTokens + 300 });
      const composed = await session.next.preview(HELLO);
      assert.match(
        overBudget(composed) ?? '',
        /tokens, limit 300\. All 6\d parts are small\. This limit is set in the chat settings\. Summarize the conversation, start a new chat, or raise /,
      );
    });

    it('by a single token are refused; with exactly the budget they are sent', async () => {
      const { window, session } = await windows.openChat({});
      const { size } = await session.next.preview(HELLO);
      await session.changeConfig({ maxPromptTokens: size.tokens + 511 });
      assert.notEqual(overBudget(await session.next.preview(HELLO)), null);
      await session.changeConfig({ maxPromptTokens: size.tokens + 512 });
      assert.equal(overBudget(await session.next.preview(HELLO)), null);
      await session.conversation.send('Hello');
      assert.equal(window.model.bodies.length, 1);
    });
  });

  describe('rebuilt', () => {
    it('are found by message and by attempt, also on a branch that was left', async () => {
      const { window, session } = await windows.openChat({}, '/long 3');
      const left = lastAttempt(session.state).id;
      await session.conversation.edit(lastUser(session.state).id, '/long 4');
      for (const [index, id] of [left, lastReply(session.state).id].entries()) {
        const { attempt, rebuilt } = await session.records.request(id);
        assert.equal(rebuilt.body, window.model.bodies[index]);
        assert.equal(sha256(rebuilt.body), attempt.manifest.bodyHash);
        assert.equal(rebuilt.note, null);
      }
    });

    it('do not exist for other messages', async () => {
      const { session } = await windows.openChat({}, '/long 3');
      for (const id of [lastUser(session.state).id, 'unknown']) {
        const error = await rejection(session.records.request(id));
        assert.match(error.message, /^Loupe has no record of the request for this reply./);
      }
    });

    it('are those that were sent, whatever became of files, settings and fragments', async () => {
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let before;'.repeat(5_000));
      const { window, session } = await windows.openChat({ files });
      await session.context.add(file('a.ts'));
      await session.fragments.set('x', 'A fragment.');
      await session.conversation.send('/long 3');
      const { id } = lastReply(session.state);
      files.texts.set('a.ts', 'let after;');
      await session.fragments.set('x', null);
      await session.changeConfig({ systemPrompt: 'Other.', cacheMode: 'all-off' });
      const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
      for (const each of [session, reopened]) {
        const { rebuilt } = await each.records.request(id);
        assert.equal(rebuilt.body, window.model.bodies[0]);
        assert.ok(rebuilt.body.includes('let before;') && rebuilt.body.includes('A fragment.'));
      }
    });

    it('are the same to the byte when the model and its provider are gone', async () => {
      for (const protocol of [ANTHROPIC_PROTOCOL, OPENAI_COMPATIBLE_PROTOCOL, PRACTICE_PROTOCOL, VSCODE_PROTOCOL]) {
        await windows.newFolder();
        const house = await configuredHouse(protocol);
        const session = await windows.open({ sources: [house.source], config: { model: house.ref } }).chats.create();
        await session.fragments.set('x', 'A fragment.');
        await session.conversation.send('Hello');
        const window = windows.open({ writerId: 'other', models: [] });
        const { api } = openPanel(window, { currentChat: undefined });
        const reopened = await window.chats.open(session.id);
        const { id } = lastReply(reopened.state);
        const request = await api.getRequest(session.id, id);
        assert.deepEqual([request.body, request.exact, request.note], [house.bodies[0], true, null], protocol);
        assert.equal(sha256(request.body), (await reopened.records.request(id)).attempt.manifest.bodyHash);
      }
    });

    const differing =
      (version: string): typeof loadConverter =>
      async (protocol) => {
        const converter = await loadConverter(protocol);
        assert.ok(converter);
        const { convert, capabilities } = converter;
        return { capabilities, convert: (...of) => ({ body: `${convert(...of).body} `, converterVersion: version }) };
      };

    for (const [why, options, note] of [
      [
        'another converter made them',
        { loadConverter: differing('practice/2') },
        'This text may differ from the request that Loupe sent, because Loupe now converts requests in another way (practice/1, now practice/2).',
      ],
      [
        'the settings of the model have changed since',
        { loadConverter: differing('practice/1') },
        'This text differs from the request that Loupe sent: the settings of the model have changed.',
      ],
      [
        'nobody knows the settings any more',
        { loadConverter: differing('practice/1'), models: [] },
        'This text differs from the request that Loupe sent: the model is no longer available.',
      ],
    ] as const) {
      it(`say so when they differ because ${why}`, async () => {
        const { session } = await windows.openChat({}, '/long 3');
        const reopened = await windows.open({ writerId: 'other', ...options }).chats.open(session.id);
        const { rebuilt } = await reopened.records.request(lastReply(reopened.state).id);
        assert.equal(rebuilt.note, note);
      });
    }

    it('are not there in a form that is not known', async () => {
      const { session } = await windows.openChat({}, '/long 3');
      const reopened = await windows.open({ writerId: 'other', loadConverter: () => Promise.resolve(null) }).chats.open(session.id);
      const error = await rejection(reopened.records.request(lastReply(reopened.state).id));
      assert.equal(error.message, 'Loupe cannot show the request: this version of Loupe does not know the protocol ("practice").');
    });
  });

  describe('to a model that takes its reasoning back only behind what it was written after', () => {
    it('hold it as long as nothing before it changes; the preview says when it does', async () => {
      const house = await configuredHouse(ANTHROPIC_PROTOCOL);
      const files = new MemoryFiles();
      files.texts.set('a.ts', 'let a;');
      const session = await windows.open({ files, sources: [house.source], config: { model: house.ref } }).chats.create();
      await session.context.add(file('a.ts'));
      await session.conversation.send('One');
      await session.conversation.send('Two');
      const unchanged = await session.next.preview(HELLO);
      files.texts.set('a.ts', 'let b;');
      const { adaptations } = await session.next.preview(HELLO);
      await session.conversation.send('Three');
      await session.conversation.send('Four');
      const signatures = house.bodies.map((body) => body.match(/signature \d/g) ?? []);
      assert.deepEqual(signatures, [[], ['signature 1'], [], ['signature 3']]);
      assert.equal(unchanged.adaptations.reasoningOutdated, 0);
      assert.deepEqual(adaptations, { ...NO_ADAPTATIONS, reasoningOutdated: 2 });
    });
  });

  describe('with fragments', () => {
    it('carry them in the system prompt until they are removed', async () => {
      const { window, session } = await windows.openChat({});
      await session.fragments.set('rule', 'Always rhyme.');
      await session.conversation.send('/long 3');
      await session.fragments.set('rule', null);
      await session.conversation.send('/long 3');
      const rhymes = window.model.bodies.map((body) => body.includes('Always rhyme.'));
      assert.deepEqual(rhymes, [true, false]);
    });
  });
});
