import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model } from '../../src/engine/model/model.js';
import type { AssistantPart } from '../../src/engine/model/part.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { SendAgain } from '../../src/host/chat/sendAgain.js';
import { ImportedFiles } from '../../src/host/transfer/importedFiles.js';
import { exported } from '../support/host/exported.js';
import { until } from '../support/host/clocks.js';
import { patient } from '../support/host/otherWorkspace.js';
import { openPanel, panelOf, readyPanel } from '../support/host/panel.js';
import { lastAccounting, lastAttempt, lastReply, lastUser, messages } from '../support/host/reading.js';
import { exportTo, WAYS } from '../support/host/transfer.js';
import { useWindows, type Window } from '../support/host/window.js';
import { Gate } from '../support/http/gate.js';
import { png } from '../support/images.js';
import { EVENTS, ScriptedServer, type Answer } from '../support/wire/compatibleServer.js';
import { houseAt } from '../support/wire/house.js';
import type { Loose } from '../support/wire/loose.js';
import { deltas, modelWith } from '../unit/openaiCompatible/support.js';

/*
 * Images of replies over HTTP in the form of OpenRouter: `images` in the chunks of a stream.
 * https://openrouter.ai/docs/features/multimodal/image-generation
 */

const SKY = png(12, 8, 0);
const DARK = png(12, 9, 0);

const LABEL = "(The image of the assistant's reply:)";

function dataUrl(bytes: Buffer, mimeType: string): string {
  return `data:${mimeType};base64,${bytes.toString('base64')}`;
}

function imagesDelta(...urls: readonly string[]): object {
  return { role: 'assistant', content: '', images: urls.map((url, index) => ({ type: 'image_url', index, image_url: { url } })) };
}

/** A reply with one image between two texts. */
const DRAWN = deltas('stop', { content: 'Here:' }, imagesDelta(dataUrl(SKY, 'image/png')), { content: 'Is it right?' });
const ALONE = deltas('stop', imagesDelta(dataUrl(SKY, 'image/png')));
const WORDS = deltas('stop', { content: 'Yes.' });

const MODEL: Model = { ...modelWith({ images: true }), maxInputTokens: 100_000 };
const BLIND: Model = {
  ...modelWith({ images: false }),
  ref: { provider: 'house', model: 'house/blind' },
  label: 'Blind',
  maxInputTokens: 100_000,
};

describe('an image of a reply', () => {
  const windows = useWindows();
  const server = new ScriptedServer();
  let place: string;

  before(() => server.start());
  after(() => server.stop());
  beforeEach(async () => {
    server.seen.length = 0;
    place = await mkdtemp(join(tmpdir(), 'loupe-images-'));
  });
  afterEach(() => rm(place, { recursive: true }));

  /** Answers with these bodies in turn, then with words. */
  function answer(...bodies: readonly string[]): void {
    const left = [...bodies];
    server.answer = (response) => void response.writeHead(200, EVENTS).end(left.shift() ?? WORDS);
  }

  function opened(writerId: string): Window {
    return windows.open({ writerId, sources: [houseAt(server.origin, MODEL)], config: { model: MODEL.ref } });
  }

  async function chatWith(...texts: readonly string[]): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const window = opened('first');
    const session = await window.chats.create();
    for (const text of texts) {
      await session.conversation.send(text);
    }
    return { window, session };
  }

  function partsOf({ state }: ChatSession): readonly AssistantPart[] {
    return lastReply(state).parts;
  }

  function image(session: ChatSession): Extract<AssistantPart, { readonly type: 'image' }> {
    return (
      messages(session.state)
        .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .find((part) => part.type === 'image') ?? assert.fail('There is no image.')
    );
  }

  function sentMessages(at: number): readonly Loose[] {
    const body = server.seen.at(at)?.body.toString('utf8') ?? assert.fail('There is no request.');
    return (JSON.parse(body) as { readonly messages: readonly Loose[] }).messages.filter(({ role }) => role !== 'system');
  }

  const url = { type: 'image_url', image_url: { url: dataUrl(SKY, 'image/png') } };

  it('is on show while the reply still streams, then a part of the message, and there again after a reload', async () => {
    const [first, rest] = [new Gate(), new Gate()];
    const script: Answer = async (response) => {
      response
        .writeHead(200, EVENTS)
        .write(deltas(null, { content: 'Here:' }, imagesDelta(dataUrl(SKY, 'image/png'))).replace('data: [DONE]\n\n', ''));
      first.open();
      await rest.opened;
      response.end(deltas('stop', { content: 'Is it right?' }));
    };
    server.answer = script;
    const window = opened('first');
    const panel = await readyPanel(window);
    const { session, webview } = panel;
    const running = session.conversation.send('Draw the sky');
    await first.opened;
    await until(
      () => webview.state.entries.some((entry) => entry.kind === 'assistant' && entry.parts.some(({ type }) => type === 'image')),
      'the image is on show',
    );
    assert.equal(webview.reply?.status, 'streaming');
    const shown = webview.reply.parts.find((part) => part.type === 'image');
    rest.open();
    await running;
    const kept = image(session);
    assert.deepEqual(kept, { type: 'image', blob: kept.blob, mimeType: 'image/png', bytes: SKY.length, width: 12, height: 8 });
    assert.deepEqual(partsOf(session), [{ type: 'text', text: 'Here:' }, kept, { type: 'text', text: 'Is it right?' }]);
    assert.deepEqual(shown, kept);
    assert.deepEqual(Buffer.from(await session.records.blob(kept.blob)), SKY);
    const again = await panelOf(opened('later'), session.id);
    assert.deepEqual(
      again
        .snapshot()
        .entries.map((entry) => (entry.kind === 'assistant' ? entry.parts : null))
        .at(-1),
      [{ type: 'text', text: 'Here:' }, kept, { type: 'text', text: 'Is it right?' }],
    );
    await again.say({ type: 'showImage', chatId: session.id, blob: kept.blob, mimeType: 'image/png' });
    const response = again.webview.received.findLast((message) => message.type === 'image');
    assert.equal(response?.type === 'image' && response.url, dataUrl(SKY, 'image/png'));
  });

  it('begins the next user message, with a label, and stays there in all later requests', async () => {
    answer(DRAWN);
    await chatWith('Draw the sky', 'Make it darker', 'And darker');
    const [, second, third] = [0, 1, 2].map(sentMessages);
    assert.deepEqual(second, [
      { role: 'user', content: 'Draw the sky' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Here:' },
          { type: 'text', text: 'Is it right?' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: LABEL }, url, { type: 'text', text: 'Make it darker' }] },
    ]);
    assert.deepEqual(third?.slice(0, 3), second, 'the beginning is the same, so that it is read from the cache');
    assert.equal(JSON.stringify(third).split(url.image_url.url).length, 2, 'the image is sent once');
  });

  it('that is the whole reply is sent, too', async () => {
    answer(ALONE);
    const { session } = await chatWith('Draw the sky', 'Make it darker');
    assert.deepEqual(partsOf(session), [{ type: 'text', text: 'Yes.' }]);
    const content = sentMessages(1).map(({ role, content: each }) => [role, each]);
    const texts = ['Draw the sky', LABEL].map((text) => ({ type: 'text', text }));
    assert.deepEqual(content, [['user', [...texts, url, { type: 'text', text: 'Make it darker' }]]]);
  });

  it('counts in the next request before it is sent, with its tokens', async () => {
    answer(DRAWN);
    const { session } = await chatWith('Draw the sky');
    const preview = await session.next.preview({ text: 'Darker', images: [], messageId: 'draft', editing: null });
    const [label, block, text] = preview.prompt.messages.at(-1)?.blocks ?? [];
    assert.deepEqual(
      [label?.part, block?.part.type, text?.part],
      [{ type: 'text', text: LABEL }, 'image', { type: 'text', text: 'Darker' }],
    );
    assert.equal(block?.tokens, 1_600);
  });

  it('is not sent with an excluded turn', async () => {
    answer(DRAWN);
    const { session } = await chatWith('Draw the sky', 'Make it darker');
    const [asked] = messages(session.state);
    await session.marks.exclude(asked?.id ?? '', 'now');
    await session.conversation.send('Who are you?');
    assert.doesNotMatch(JSON.stringify(sentMessages(2)), /image_url/);
  });

  it('is a note for a model that takes no images, and for one that was lost or damaged', async () => {
    answer(DRAWN);
    const { window, session } = await chatWith('Draw the sky');
    await writeFile(join(windows.folder, 'chats', session.id, 'blobs', image(session).blob), 'damaged');
    const panel = await panelOf(opened('later'), session.id);
    const later = await panel.shown.current();
    await later.conversation.send('Make it darker');
    const note = (reason: string): object => ({ type: 'text', text: `(An image, image/png, is left out: ${reason}.)` });
    const content = [{ type: 'text', text: LABEL }, note('its bytes are missing'), { type: 'text', text: 'Make it darker' }];
    assert.deepEqual(sentMessages(1).at(-1)?.['content'], content);
    await panel.say({ type: 'showImage', chatId: session.id, blob: image(session).blob, mimeType: 'image/png' });
    const shown = panel.webview.received.findLast((message) => message.type === 'image');
    assert.ok(shown?.type === 'image' && shown.url === null && shown.problem !== null);
    assert.deepEqual(window.errors, []);

    const blind = windows.open({ writerId: 'blind', sources: [houseAt(server.origin, BLIND)] });
    const same = await blind.chats.open(session.id);
    await same.changeConfig({ model: BLIND.ref });
    await same.conversation.send('And darker');
    const sent = sentMessages(2)
      .map(({ content: each }) => JSON.stringify(each))
      .join('\n');
    assert.match(sent, /\(An image, image\/png, is left out: the model takes no images\.\)/);
    assert.equal(lastAttempt(same.state).manifest.adaptations.imagesLeftOut, 1);
  });

  it('of another format, or that is broken, is kept, but never sent', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    answer(deltas('stop', imagesDelta(dataUrl(svg, 'image/svg+xml'), dataUrl(Buffer.from('no image'), 'image/png'))));
    const { session } = await chatWith('Draw the sky', 'Make it darker');
    const kept = messages(session.state).flatMap((message) => (message.role === 'assistant' ? message.parts : []));
    const types = kept.flatMap((part) => (part.type === 'image' ? [[part.mimeType, part.bytes, part.width]] : []));
    assert.deepEqual(types, [
      ['image/svg+xml', svg.length, null],
      ['application/octet-stream', 8, null],
    ]);
    const left = (type: string): object => ({ type: 'text', text: `(An image, ${type}, is left out: models do not take this format.)` });
    assert.deepEqual(sentMessages(1).at(-1)?.['content'], [
      ...[
        { type: 'text', text: 'Draw the sky' },
        { type: 'text', text: "(The images of the assistant's reply:)" },
      ],
      ...[left('image/svg+xml'), left('application/octet-stream')],
      { type: 'text', text: 'Make it darker' },
    ]);
  });

  it('that the server repeats is one', async () => {
    const again = imagesDelta(dataUrl(SKY, 'image/png'), dataUrl(DARK, 'image/png'));
    answer(deltas('stop', imagesDelta(dataUrl(SKY, 'image/png')), again));
    const { session } = await chatWith('Draw the sky');
    assert.deepEqual(
      partsOf(session).map((part) => part.type === 'image' && part.height),
      [8, 9],
    );
  });

  it('stays with a reply that is stopped', async () => {
    const begun = new Gate();
    server.answer = (response) => {
      response
        .writeHead(200, EVENTS)
        .write(deltas(null, { content: 'Here:' }, imagesDelta(dataUrl(SKY, 'image/png'))).replace('data: [DONE]\n\n', ''));
      begun.open();
    };
    const { session } = await chatWith();
    const running = session.conversation.send('Draw the sky');
    await begun.opened;
    await until(
      () => [...session.state.attempts.values()].some(({ reply }) => reply.some((part) => part?.type === 'image')),
      'the image has come',
    );
    await session.conversation.stop();
    await running;
    assert.deepEqual(
      partsOf(session).map(({ type }) => type),
      ['text', 'image'],
    );
  });

  it('comes back with the branch that is restored after a retry', async () => {
    answer(DRAWN);
    const { session } = await chatWith('Draw the sky');
    const kept = partsOf(session);
    await session.conversation.retry(lastUser(session.state).id);
    assert.deepEqual(partsOf(session), [{ type: 'text', text: 'Yes.' }]);
    await session.conversation.restoreBranch(lastAccounting(session.state).rewindId);
    assert.deepEqual(partsOf(session), kept);
    assert.deepEqual(Buffer.from(await session.records.blob(image(session).blob)), SKY);
  });

  it('is in the folder of a fork, and in its requests, also when the first chat is deleted', async () => {
    answer(DRAWN);
    const { window, session } = await chatWith('Draw the sky');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await window.chats.delete(session.id);
    await fork.conversation.send('Make it darker');
    assert.deepEqual(Buffer.from(await fork.records.blob(image(fork).blob)), SKY);
    assert.ok(JSON.stringify(sentMessages(1)).includes(url.image_url.url), 'the request contains the image');
  });

  it('goes with the next message when that is sent again', async () => {
    answer(DRAWN);
    const { window, session } = await chatWith('Draw the sky', 'Make it darker');
    const again = new SendAgain({ chats: window.chats, logError: (error) => assert.fail(error) });
    const change = { kind: 'model', model: MODEL.ref } as const;
    const forkId = await again.sendAgain(session.id, lastAttempt(session.state).id, { change, inWords: 'changed', usd: null });
    const fork = await window.chats.open(forkId);
    await until(() => server.seen.length === 3 && !fork.conversation.isRunning, 'the message is answered');
    assert.deepEqual(sentMessages(2), sentMessages(1));
    assert.deepEqual(Buffer.from(await fork.records.blob(image(fork).blob)), SKY);
  });

  it('is named in the export as Markdown', async () => {
    answer(DRAWN);
    const { window, session } = await chatWith('Draw the sky');
    const { bytes, missing } = await exported(session, 'markdown', window, {});
    assert.match(
      bytes.toString('utf8'),
      new RegExp(`Here:\n\n\\(An image, image/png, of ${String(SKY.length)} bytes\\.\\)\n\nIs it right\\?`),
    );
    assert.deepEqual(missing, []);
  });

  for (const way of WAYS) {
    it(`is in an import, byte for byte, and in its requests: ${way}`, async () => {
      answer(DRAWN);
      const { window, session } = await chatWith('Draw the sky');
      const path = await exportTo(place, session, way, window);
      await windows.newFolder();
      const here = opened('later');
      const { shown } = openPanel(here, { currentChat: undefined });
      const files = new ImportedFiles({
        show: (from, watch) => shown.importFile(from, watch),
        copying: (_, work) => work(patient()),
        tell: () => undefined,
      });
      const copy = await here.chats.open(await files.import(path));
      assert.deepEqual(partsOf(copy), partsOf(session));
      assert.deepEqual(Buffer.from(await copy.records.blob(image(copy).blob)), SKY);
      await copy.conversation.send('Make it darker');
      assert.ok(JSON.stringify(sentMessages(1)).includes(url.image_url.url), 'the request contains the image');
    });
  }
});
