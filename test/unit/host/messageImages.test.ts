import assert from 'node:assert/strict';
import type { Message, UserMessage } from '../../../src/engine/chat/message/message.js';
import type { ImagePart, TextPart, UserPart } from '../../../src/engine/model/part.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { SendAgain } from '../../../src/host/chat/sendAgain.js';
import { MOST_IMAGE_BYTES, type ImageResponse } from '../../../src/protocol/images.js';
import type { UserEntry } from '../../../src/protocol/panel/entries.js';
import type { Model } from '../../../src/engine/model/model.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { BILLED_PRICES } from '../../support/host/billedModels.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { panelOf, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { lastAttempt, lastUser, messages, partialText } from '../../support/host/reading.js';
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

const BYTES = Buffer.from('picture');

interface Opened extends TestPanel {
  readonly window: Window;
  readonly session: ChatSession;
  readonly image: ImagePart;
}

function modelNamed(label: string, capabilities: Partial<Model['capabilities']>): Model {
  const ref = { provider: PRACTICE_STANDARD.ref.provider, model: label };
  return { ...PRACTICE_STANDARD, ref, label, capabilities: { ...PRACTICE_STANDARD.capabilities, ...capabilities } };
}

/** An image of an older log, which has no name. */
function nameless({ name: _name, ...image }: ImagePart): ImagePart {
  return image;
}

describe('an image of a message', () => {
  const windows = useWindows();

  async function open(options: WindowOptions): Promise<Opened> {
    const window = windows.open(options);
    const panel = await readyPanel(window);
    const session = await panel.shown.current();
    const blob = await window.store.blobs(session.id).put(BYTES);
    return {
      ...panel,
      window,
      session,
      image: { type: 'image', blob, mimeType: 'image/png', bytes: BYTES.length, width: 2, height: 3, name: 'chart.png' },
    };
  }

  /** Sends a message with the image through the queue, as in a window that was closed before it could send it. */
  function sent(opened: Opened, text: string): Promise<UserMessage> {
    return sentParts(opened, [...(text === '' ? [] : [textPart(text)]), opened.image]);
  }

  const textPart = (text: string): TextPart => ({ type: 'text', text });

  async function sentParts({ session }: Opened, parts: readonly UserPart[]): Promise<UserMessage> {
    const message: UserMessage = { role: 'user', id: `1700000000000-0000000${String(parts.length)}`, parts, author: null };
    await session.record([{ type: 'message-queued', message }]);
    await session.conversation.sendQueued(message.id);
    return message;
  }

  const replies = ({ state }: ChatSession): number => messages(state).filter(({ role }) => role === 'assistant').length;
  const parts = (message: Message | undefined): unknown => (message?.role === 'user' ? message.parts : null);
  const entries = ({ snapshot }: TestPanel): UserEntry[] => {
    return snapshot().entries.filter((entry) => entry.kind === 'user');
  };
  /** The images in the message box. */
  const drafted = ({ webview }: TestPanel) => webview.state.withMessage.map(({ image }) => image);
  const view = ({ image }: Opened) => image;

  it('stays with a message that is edited in the panel, which shows it in the message box', async () => {
    const opened = await open({});
    const { session, webview, say, image } = opened;
    const { id } = await sent(opened, '/long 2');
    await say({ type: 'beginEdit', chatId: session.id, messageId: id });
    entries(opened);
    assert.deepEqual([webview.state.draft.text, drafted(opened)], ['/long 2', [view(opened)]]);
    await say({ type: 'send', chatId: session.id, text: '/long 3' });
    assert.deepEqual(parts(lastUser(session.state)), [{ type: 'text', text: '/long 3' }, image]);
    assert.deepEqual(columns(entries(opened), 'text', 'images'), [['/long 3', [view(opened)]]]);
    assert.deepEqual(drafted(opened), []);
  });

  it('shows below its message the tokens of the images in the request', async () => {
    const opened = await open({});
    const { session, say, image } = opened;
    const other = { ...image, blob: await opened.window.store.blobs(session.id).put(Buffer.from('another')) };
    const { id } = await sentParts(opened, [textPart('/long 2'), image, other]);
    const shown = (): unknown => entries(opened).map(({ imageTokens }) => imageTokens);
    assert.deepEqual(shown(), [{ tokens: 3_200, isEstimate: false }]);
    await say({ type: 'beginEdit', chatId: session.id, messageId: id });
    await say({ type: 'removeWithMessage', chatId: session.id, key: `image:${other.blob}` });
    await say({ type: 'send', chatId: session.id, text: '/long 2' });
    assert.deepEqual(shown(), [{ tokens: 1_600, isEstimate: false }]);
    await session.conversation.send('No image');
    assert.deepEqual(shown(), [{ tokens: 1_600, isEstimate: false }, null]);
  });

  it('keeps its place among the texts of a message that is edited, in the preview and in the log', async () => {
    const opened = await open({});
    const { session, say, image } = opened;
    const other = { ...image, blob: await opened.window.store.blobs(session.id).put(Buffer.from('another')) };
    const written = [image, textPart('/long 2'), other, textPart('and more')] as const;
    const edit = async (id: string, text: string): Promise<unknown> => {
      await say({ type: 'beginEdit', chatId: session.id, messageId: id });
      await say({ type: 'send', chatId: session.id, text });
      return parts(lastUser(session.state));
    };
    const last = (): string => lastUser(session.state).id;
    const { id } = await sentParts(opened, written);
    assert.deepEqual([entries(opened)[0]?.text, entries(opened)[0]?.imagesFirst], ['/long 2\n\nand more', 1]);
    const preview = await session.next.preview({ text: '/long 3', images: [image, other], messageId: 'draft', editing: id });
    const order = preview.prompt.messages.at(-1)?.blocks.map(({ part }) => part.type);
    assert.deepEqual(order, ['image', 'text', 'image']);
    assert.deepEqual(await edit(id, '/long 2\n\nand more'), written, 'nothing was changed');
    assert.deepEqual(await edit(last(), '/long 3'), [image, textPart('/long 3'), other]);
    await session.conversation.edit(last(), '/long 4');
    assert.deepEqual(parts(lastUser(session.state)), [image, textPart('/long 4'), other]);
    await say({ type: 'beginEdit', chatId: session.id, messageId: last() });
    await say({ type: 'removeWithMessage', chatId: session.id, key: `image:${image.blob}` });
    await say({ type: 'send', chatId: session.id, text: '' });
    assert.deepEqual(parts(lastUser(session.state)), [other]);
    assert.deepEqual(await edit(last(), '/long 5'), [textPart('/long 5'), other], 'a text that was not there comes first');
  });

  it('comes to the panel as a data URL when it is in sight, up to a size; what is wrong with it is said and logged', async () => {
    const opened = await open({});
    const { session, say, webview, image, window } = opened;
    const shown = async (blob: string): Promise<ImageResponse | undefined> => {
      await say({ type: 'showImage', chatId: session.id, blob, mimeType: 'image/png' });
      return webview.received.findLast((message) => message.type === 'image');
    };
    const answer = { type: 'image', chatId: session.id } as const;
    const url = `data:image/png;base64,${BYTES.toString('base64')}`;
    assert.deepEqual(await shown(image.blob), { ...answer, blob: image.blob, url, problem: null });
    const large = await window.store.blobs(session.id).put(Buffer.alloc(MOST_IMAGE_BYTES + 1));
    assert.deepEqual(await shown(large), {
      ...answer,
      blob: large,
      url: null,
      problem: 'This image is larger than 8 MB, the limit of the panel.',
    });
    assert.deepEqual(window.errors, []);
    const gone = 'a'.repeat(64);
    const { url: none, problem } = (await shown(gone)) ?? assert.fail('Nothing came.');
    assert.equal(none, null);
    assert.match(problem ?? '', /^Saved content of this chat could not be read/);
    assert.deepEqual(column(window.errors, 'code'), ['storage.failed']);
  });

  it('has a row in the message box with its name, facts, tokens and price, until the user removes it', async () => {
    const opened = await open({});
    const { session, say, webview, drafts, image } = opened;
    drafts.prepend(session.id, { text: 'Look', images: [nameless(image), { ...image, blob: 'b'.repeat(64) }] });
    await until(() => typeof webview.state.withMessage[0]?.tokens === 'number', 'the next request holds the image');
    const rows = columns(webview.state.withMessage, 'name', 'detail', 'tokens', 'isEstimate', 'isRemovable', 'warning');
    assert.deepEqual(rows[0], ['Image 1', 'image/png, 2 × 3, 7 bytes', 1_600, false, true, null]);
    assert.deepEqual(column(webview.state.withMessage, 'name'), ['Image 1', 'chart.png']);
    const { inputCost = null, totalTokens = 0 } = webview.state.nextRequest ?? {};
    const price = webview.state.withMessage[0]?.price ?? assert.fail('The practice model has prices.');
    assert.ok(inputCost !== null && price > 0 && price < inputCost && totalTokens > 1_600, 'a part of the price of the request');
    await say({ type: 'removeWithMessage', chatId: session.id, key: `image:${image.blob}` });
    entries(opened);
    assert.deepEqual(column(webview.state.withMessage, 'name'), ['chart.png']);
  });

  it('is refused before sending, with the reason, by a model that takes none; other models take it', async () => {
    const blind = modelNamed('Blind', { images: false });
    const small = modelNamed('Small', { imageLimits: { mostBase64Bytes: 4_000, longestEdge: 2 } });
    const opened = await open({ models: [PRACTICE_STANDARD, blind, small] });
    const { session, say, webview, drafts, image } = opened;
    drafts.prepend(session.id, { text: '/long 2', images: [image] });
    const problem = (): string | null => webview.state.nextRequest?.problem ?? null;
    const switchTo = async ({ ref, label }: Model): Promise<void> => {
      await session.changeConfig({ model: ref });
      await until(() => webview.state.chat?.model.label === label && webview.state.nextRequest !== null, label);
    };
    await switchTo(blind);
    await until(() => problem() !== null, 'the reason');
    assert.equal(problem(), 'Blind takes no images. Remove the image from your message, or choose another model.');
    assert.deepEqual(column(webview.state.withMessage, 'warning'), ['Not accepted']);
    assert.deepEqual(webview.state.nextRequest?.adaptations, [], 'the reason is said once');
    await say({ type: 'send', chatId: session.id, text: '/long 2' });
    assert.equal(replies(session), 0, 'nothing was sent');
    await switchTo(small);
    drafts.prepend(session.id, { text: '', images: drafted(opened).length === 0 ? [image] : [] });
    await until(() => problem()?.startsWith('Small accepts') === true, 'the reason of the other model');
    assert.equal(
      problem(),
      'Small accepts images of at most 2 pixels per side and 2.9 KB. Remove the image from your message, scale it down, or choose another model.',
    );
    assert.deepEqual(column(webview.state.withMessage, 'warning'), ['Too large']);
    assert.deepEqual(webview.state.nextRequest.adaptations, [], 'the reason is said once');
    await switchTo(PRACTICE_STANDARD);
    await until(() => problem() === null, 'no reason');
    await say({ type: 'send', chatId: session.id, text: '/long 2' });
    assert.equal(replies(session), 1);
  });

  it('is refused with the limit for many images if the request has so many', async () => {
    const limits = { mostBase64Bytes: 4_000, longestEdge: 8, manyImages: { above: 2, longestEdge: 2 } };
    const model = modelNamed('Small', { imageLimits: limits });
    const opened = await open({ models: [model], config: { model: model.ref } });
    const { session, webview, drafts, image } = opened;
    await sentParts(opened, [textPart('/long 2'), { ...image, width: 2, height: 2 }]);
    const other = await opened.window.store.blobs(session.id).put(Buffer.from('another'));
    drafts.prepend(session.id, { text: '/long 2', images: [image, { ...image, blob: other }] });
    const problem = (): string | null => webview.state.nextRequest?.problem ?? null;
    await until(() => problem() !== null, 'the reason');
    assert.equal(
      problem(),
      'Small accepts images of at most 2 pixels per side and 2.9 KB in a request with more than 2 images. Remove the images from your message, scale them down, or choose another model.',
    );
    drafts.removeImage(session.id, other);
    await until(() => problem() === null, 'two images are no problem');
  });

  it('is refused before a question about the price of the request', async () => {
    const blind: Model = { ...modelNamed('Blind', { images: false }), prices: BILLED_PRICES };
    const opened = await open({
      models: [blind],
      config: { model: blind.ref },
      spend: () => ({ askAbove: 0, capPerChat: null, capPerDay: null }),
    });
    const { session, say, webview, drafts, image } = opened;
    drafts.prepend(session.id, { text: '', images: [image] });
    const sending = say({ type: 'send', chatId: session.id, text: '/long 2' });
    await until(() => webview.state.banners.length > 0 || session.spending.questions.length > 0, 'Loupe refuses or asks');
    assert.deepEqual(session.spending.questions, []);
    await sending;
    assert.match(webview.state.banners[0]?.text ?? '', /^Blind takes no images\./);
  });

  it('is in the message box once, although it was added again with a message that is taken back', async () => {
    const opened = await open({});
    const { session, webview, drafts, image } = opened;
    drafts.prepend(session.id, { text: 'Look', images: [image] });
    drafts.prepend(session.id, { text: '', images: [image, image] });
    entries(opened);
    assert.deepEqual(column(webview.state.withMessage, 'key'), [`image:${image.blob}`]);
    const { id } = await sentParts(opened, [textPart('/long 2'), image, image]);
    await opened.say({ type: 'beginEdit', chatId: session.id, messageId: id });
    entries(opened);
    assert.deepEqual(column(webview.state.withMessage, 'key'), [`image:${image.blob}`]);
  });

  it('stays with a message whose text is replaced by a command or the API', async () => {
    const opened = await open({});
    const { id } = await sent(opened, '/long 2');
    await opened.session.conversation.edit(id, '/long 3');
    assert.deepEqual(parts(lastUser(opened.session.state)), [{ type: 'text', text: '/long 3' }, opened.image]);
  });

  it('is no longer part of the edited message when the user removes it', async () => {
    const opened = await open({});
    const { session, say, image } = opened;
    const { id } = await sent(opened, '/long 2');
    await say({ type: 'beginEdit', chatId: session.id, messageId: id });
    await say({ type: 'removeWithMessage', chatId: session.id, key: `image:${image.blob}` });
    await say({ type: 'send', chatId: session.id, text: '/long 3' });
    assert.deepEqual(parts(lastUser(session.state)), [{ type: 'text', text: '/long 3' }]);
  });

  it('comes back into the message box with a waiting message that is taken back, and is sent from there', async () => {
    const clock = new SteppedClock();
    const opened = await open({ clock });
    const { session, say, webview, image } = opened;
    const first = session.conversation.send('/long 60');
    await stepUntil(clock, () => partialText(session) !== '', 'text streams');
    const message: UserMessage = {
      role: 'user',
      id: '1700000000000-0000000a',
      parts: [{ type: 'text', text: '/long 2' }, image],
      author: null,
    };
    await session.record([{ type: 'message-queued', message }]);
    assert.deepEqual(entries(opened).at(-1)?.images, [view(opened)]);
    await say({ type: 'takeBack', chatId: session.id, messageId: message.id });
    entries(opened);
    assert.deepEqual([webview.state.draft.text, drafted(opened)], ['/long 2', [view(opened)]]);
    await stepUntil(clock, () => !session.conversation.isRunning, 'the first one is answered');
    await first;
    const second = say({ type: 'send', chatId: session.id, text: '/long 2' });
    await stepUntil(clock, () => replies(session) === 2 && !session.conversation.isRunning, 'it is answered');
    await second;
    assert.deepEqual(parts(lastUser(session.state)), message.parts);
  });

  it('in the message box survives the window, and a draft that an edit sets aside', async () => {
    const opened = await open({});
    const { session, say, drafts, image } = opened;
    const { id } = await sent(opened, '/long 2');
    drafts.prepend(session.id, { text: 'Half', images: [image] });
    await say({ type: 'beginEdit', chatId: session.id, messageId: id });
    await drafts.flush();
    const next = await panelOf(windows.open({ writerId: 'next' }), session.id);
    assert.deepEqual(drafted(next), [view(opened)]);
    await next.say({ type: 'cancelEdit', chatId: session.id });
    next.panel.channel.snapshot();
    assert.deepEqual([next.webview.state.draft.text, drafted(next)], ['Half', [view(opened)]]);
  });

  it('goes with a message that is sent again, into the folder of the new chat', async () => {
    const opened = await open({});
    const { window, session } = opened;
    const message = await sent(opened, '/long 2');
    const again = new SendAgain({ chats: window.chats, logError: (error) => assert.fail(error) });
    const change = { kind: 'model', model: session.state.config.model } as const;
    const forkId = await again.sendAgain(session.id, lastAttempt(session.state).id, { change, inWords: 'changed', usd: null });
    const fork = await window.chats.open(forkId);
    await until(() => replies(fork) === 1, 'the message is answered');
    assert.deepEqual(parts(lastUser(fork.state)), message.parts);
    assert.deepEqual(Buffer.from(await fork.records.blob(opened.image.blob)), BYTES);
  });

  it('is in the folder of a fork, and in its requests, also when the first chat is deleted', async () => {
    const opened = await open({});
    const { window, session, image } = opened;
    await sent(opened, '/long 2');
    const fork = await window.chats.fork(session, messages(session.state).at(-1)?.id ?? '');
    await window.chats.delete(session.id);
    await fork.conversation.send('/long 3');
    assert.deepEqual(Buffer.from(await fork.records.blob(image.blob)), BYTES);
    assert.deepEqual(window.model.images.at(-1)?.get(image.blob), BYTES.toString('base64'), 'the request contains the image');
  });

  it('is a whole message without any text: shown, edited, sent and answered anew', async () => {
    const opened = await open({});
    const { session, say, webview, image } = opened;
    const { id } = await sent(opened, '');
    assert.deepEqual(columns(entries(opened), 'text', 'images'), [['', [view(opened)]]]);
    await say({ type: 'retry', chatId: session.id, messageId: id });
    assert.deepEqual(parts(lastUser(session.state)), [image]);
    await say({ type: 'beginEdit', chatId: session.id, messageId: id });
    await say({ type: 'send', chatId: session.id, text: '' });
    assert.deepEqual([parts(lastUser(session.state)), webview.state.banners], [[image], []]);
  });
});
