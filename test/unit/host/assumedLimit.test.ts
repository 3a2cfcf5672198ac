import assert from 'node:assert/strict';
import type { ProviderSource } from '../../../src/host/models/registry.js';
import { overBudget } from '../../../src/host/request/sizeTexts.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { scriptedHouse, type ScriptedHouse } from '../../support/host/scriptedHouse.js';
import { useWindows } from '../../support/host/window.js';

const LONG = 'The tide comes in. '.repeat(2_000);
const CAUSE = 'The context size of large is unknown: Loupe assumes 8,192 tokens.';

describe('a model whose context size is unknown', () => {
  const windows = useWindows();
  let house: ScriptedHouse;
  let size: number | null;
  let test: TestPanel;
  let session: ChatSession;

  beforeEach(async () => {
    house = await scriptedHouse('anthropic', {});
    size = null;
    const source: ProviderSource = {
      ...house.source,
      providers: () =>
        house.source.providers().map((provider) => ({
          ...provider,
          models: provider.models.map((model) => ({ ...model, maxInputTokens: size, maxOutputTokens: null })),
        })),
    };
    const window = windows.open({ sources: [source], config: { model: house.large } });
    test = await panelOf(window, undefined);
    session = await test.shown.current();
    await shows('the next request', ({ nextRequest }) => nextRequest !== null);
  });

  const state = (): PanelState => test.webview.state;
  const shows = (what: string, is: (view: PanelState) => boolean): Promise<void> => until(() => is(state()), what);
  const typed = (text: string, edit: number): Promise<void> => test.say({ type: 'draft', chatId: session.id, text, edit });
  const next = (): NextRequestView => state().nextRequest ?? assert.fail('There is no next request.');

  it('has a limit that the panel says is assumed, and opens where it is set', async () => {
    const named = { ...house.large, label: 'large' };
    assert.deepEqual([next().limit, next().assumedLimit, next().history.maxInputTokens], [8_192, named, null]);
    await test.say({ type: 'setModelLimit', provider: named.provider, model: named.model });
    const asked = test.asked.filter((what) => what.startsWith('editModel'));
    assert.deepEqual(asked, ['editModel house large']);
    size = 32_768;
    test.panel.requestChanged();
    await typed('Hello', 1);
    await shows('the size', ({ nextRequest }) => nextRequest?.assumedLimit === null);
    assert.deepEqual([next().limit, next().history.maxInputTokens], [32_768, 32_768]);
  });

  it('is refused for that reason, and not for a limit of the chat', async () => {
    await typed(LONG, 1);
    await shows('the problem', ({ nextRequest }) => nextRequest?.problem !== null);
    const problem = next().problem ?? '';
    assert.ok(problem.endsWith(`${CAUSE} Shorten your message, or set the model's context size.`), problem);
    assert.equal(next().isOwnLimit, false);
    await test.say({ type: 'send', chatId: session.id, text: LONG });
    await shows('the refusal', ({ banners }) => banners.some(({ text }) => text.includes(CAUSE)));
    assert.deepEqual(house.bodies, []);
    await session.changeConfig({ maxPromptTokens: 4_000 });
    await shows('the limit of the chat', ({ nextRequest }) => nextRequest?.limit === 4_000);
    assert.deepEqual([next().assumedLimit, next().isOwnLimit], [null, true]);
    assert.match(next().problem ?? '', /This limit is set in the chat settings\./);
  });

  it('says so where the reply leaves no room, or only the end of the chat was read', async () => {
    await session.changeConfig({ reservedResponseTokens: 9_000 });
    await shows('the problem', ({ nextRequest }) => nextRequest?.problem !== null);
    assert.equal(
      next().problem,
      `Loupe cannot send a request: the tokens kept free for the reply fill the whole context limit. ${CAUSE} Lower "Kept free for the reply" in the chat settings, or set the model's context size.`,
    );
    assert.equal(next().isOwnLimit, true);
    await session.changeConfig({ reservedResponseTokens: 512 });
    const composed = await session.next.preview({ text: LONG, editing: null });
    assert.equal(
      overBudget({ ...composed, isPartial: true }),
      `The request is too long: over 10,047 tokens, limit 7,680. ${CAUSE} Start a new chat, fork this chat at an earlier reply, or set the model's context size.`,
    );
  });
});
