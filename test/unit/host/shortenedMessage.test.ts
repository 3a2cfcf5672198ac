import assert from 'node:assert/strict';
import { compactionView } from '../../../src/host/panel/conversation/summaryEntry.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { conversation } from '../../support/host/reading.js';
import { talk, type Rig } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';
import { Gate } from '../../support/http/gate.js';

/** 400 lines with different numbers: about 8,000 tokens. */
const LINES = Array.from({ length: 400 }, (_, index) => `At ${String(index + 1_000)} the gauge of the harbour fell by half a hand.`);
const LONG_MESSAGE = LINES.join('\n');
const LIMIT = 3_000;

describe('a message that is too long for any request', () => {
  const windows = useWindows();

  interface Written extends Rig {
    readonly test: TestPanel;
    readonly chatId: string;
  }

  async function written(text: string): Promise<Written> {
    const rig = await talk(windows, 1, { maxPromptTokens: LIMIT, reservedResponseTokens: 200 });
    const test = await panelOf(rig.window, rig.session.id);
    const chatId = rig.session.id;
    await test.say({ type: 'draft', chatId, text, edit: 1 });
    await until(() => (test.webview.state.nextRequest?.problem ?? null) !== null, 'the next request cannot be sent');
    return { ...rig, test, chatId };
  }

  const textOf = ({ test, chatId }: Written): string => test.drafts.get(chatId).text;

  it('is shortened by the model when the user wants it, in requests that hold all of it and fit', async () => {
    const rig = await written(LONG_MESSAGE);
    const { test, chatId, house, session } = rig;
    const { shortening, problem } = test.webview.state.nextRequest ?? {};
    assert.match(problem ?? '', /Largest parts: your message .* Shorten your message/);
    assert.ok((shortening?.cost ?? 0) > 0);
    const sent = house.bodies.length;
    house.replies.push([{ text: 'It fell at 1000.' }]);
    await test.say({ type: 'shortenMessage', chatId });
    const asked = house.bodies.slice(sent);
    assert.ok(asked.length > 2, String(asked.length));
    for (const line of LINES) {
      const isAsked = asked.some((body) => body.includes(line));
      assert.ok(isAsked, line);
    }
    assert.match(asked[1] ?? '', /It fell at 1000\./, 'what became of the parts before goes along');
    const attempts = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'summary');
    assert.deepEqual([attempts.length, attempts.every(({ manifest }) => manifest.size.tokens <= LIMIT - 200)], [asked.length, true]);
    const areAlone = asked.every((body) => !body.includes('Question 1'));
    assert.ok(areAlone, 'nothing else of the chat is asked about');
    assert.equal(textOf(rig), 'Done.');
    assert.equal(test.drafts.get(chatId).original, LONG_MESSAGE);
    assert.deepEqual(conversation(session.state).length, 2, 'nothing was sent');
    await test.say({ type: 'send', chatId, text: 'Done.' });
    assert.ok((house.bodies.at(-1)?.length ?? 0) < LONG_MESSAGE.length);
    assert.match(house.bodies.at(-1) ?? '', /Done\./);
    assert.equal(test.drafts.get(chatId).original, null);
  });

  it('comes back as it was, also in the next window', async () => {
    const rig = await written(LONG_MESSAGE);
    const { test, chatId } = rig;
    await test.say({ type: 'shortenMessage', chatId });
    assert.equal(textOf(rig), 'Done.');
    await test.drafts.flush();
    const next = await panelOf(windows.open({ writerId: 'next' }), chatId);
    assert.deepEqual([next.webview.state.draft.text, next.webview.state.draft.isShortened], ['Done.', true]);
    await next.say({ type: 'takeOriginalBack', chatId });
    assert.deepEqual([next.drafts.get(chatId).text, next.drafts.get(chatId).original], [LONG_MESSAGE, null]);
  });

  it('stays when it is changed meanwhile, and when the model fails or is cancelled', async () => {
    const rig = await written(LONG_MESSAGE);
    const { test, chatId, house, session } = rig;
    const banner = (): string | undefined => test.webview.state.banners.at(-1)?.text;
    house.replies.push([{ text: '' }]);
    await test.say({ type: 'shortenMessage', chatId });
    await until(() => banner() === 'The model sent an empty summary.', 'the failure is told');
    assert.deepEqual([textOf(rig), compactionView(session)], [LONG_MESSAGE, null]);
    const { length } = house.bodies;
    house.replies.push(['hang']);
    const cancelled = test.say({ type: 'shortenMessage', chatId });
    await until(() => house.bodies.length > length, 'it is asked for');
    const view = compactionView(session);
    assert.ok(view?.kind === 'running' && view.messages === null);
    await test.say({ type: 'cancelSummary', chatId });
    await cancelled;
    assert.deepEqual([textOf(rig), test.drafts.get(chatId).original], [LONG_MESSAGE, null]);
    house.replies.push(['hang']);
    const overtaken = test.say({ type: 'shortenMessage', chatId });
    await until(() => house.bodies.length > length + 1, 'it is asked for again');
    await test.say({ type: 'draft', chatId, text: 'Another one', edit: 2 });
    await test.say({ type: 'cancelSummary', chatId });
    await overtaken;
    assert.equal(textOf(rig), 'Another one');
  });

  it('is not replaced by what was made of an earlier text', async () => {
    const rig = await written(LONG_MESSAGE);
    const { test, chatId, house } = rig;
    const { opened: held, open: goOn } = new Gate();
    const { length } = house.bodies;
    house.replies.push([{ after: held }, { text: 'Shorter.' }]);
    const shortening = test.say({ type: 'shortenMessage', chatId });
    await until(() => house.bodies.length > length, 'it is asked for');
    await test.say({ type: 'draft', chatId, text: `${LONG_MESSAGE} And why?`, edit: 2 });
    goOn();
    await shortening;
    assert.equal(textOf(rig), `${LONG_MESSAGE} And why?`);
    await until(() => test.webview.state.banners.some(({ text }) => text.startsWith('You changed your message while')), 'the user is told');
  });

  it('is not offered to be shortened where something else takes the room', async () => {
    const rig = await talk(windows, 1, { maxPromptTokens: LIMIT, systemPrompt: LONG_MESSAGE });
    const test = await panelOf(rig.window, rig.session.id);
    await until(() => (test.webview.state.nextRequest?.problem ?? null) !== null, 'the next request cannot be sent');
    assert.equal(test.webview.state.nextRequest?.shortening, null);
    const { length } = rig.house.bodies;
    await test.say({ type: 'shortenMessage', chatId: rig.session.id });
    assert.equal(rig.house.bodies.length, length);
  });
});
