import assert from 'node:assert/strict';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { CONFIG } from '../../../support/engine/events.js';
import { hintView } from '../../../../src/host/inspector/inspectorView.js';
import type { InspectorHint } from '../../../../src/protocol/inspector/inspector.js';
import { markedCache } from '../../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../../support/host/clocks.js';
import { openInspector, type OpenedInspector } from '../../../support/host/openInspector.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../../support/host/window.js';

describe('the hint of a verdict', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let files: MemoryFiles;
  let window: Window;
  let session: ChatSession;

  beforeEach(async () => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    files = new MemoryFiles();
    const config = { model: house.practice, systemPrompt: words(400, 3), layout: 'plain' } as const;
    window = windows.open({ clock, files, sources: [house.source], config });
    session = await window.chats.create();
  });

  afterEach(() => house.server.stop());

  const say = async (text: string): Promise<void> => {
    clock.time += 40_000;
    await session.conversation.send(text);
  };

  const talk = async (): Promise<void> => {
    for (const from of [1, 2, 3, 4]) {
      await say(words(700, from));
    }
  };

  const inspect = (): Promise<OpenedInspector> => openInspector(window, session.id, { id: lastAttempt(session.state).id, ports: {} });

  const hint = async ({ state }: OpenedInspector): Promise<InspectorHint> => {
    await until(() => state().hint !== null, 'the hint');
    return state().hint ?? assert.fail();
  };

  it('is taken with its button, which sets the layout that it names, and undone', async () => {
    files.texts.set('src/a.ts', words(200, 8));
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await talk();
    files.texts.set('src/a.ts', words(200, 9));
    await say('And now?');
    const inspector = await inspect();
    const { view, state } = inspector;
    const { text, ...offered } = await hint(inspector);
    assert.match(text, /^The prompt layout "Continue" would have put this change at the end of the request: /);
    assert.deepEqual(offered, { offer: 'use', done: '' });
    await view.useHint();
    assert.equal(session.state.config.layout, 'adaptive');
    await until(() => state().hint?.offer === 'undo', 'what was done');
    assert.deepEqual(state().hint, {
      text,
      offer: 'undo',
      done: 'This chat now uses the prompt layout "Continue". Loupe rebuilds the next request.',
    });
    await view.undoHint();
    assert.equal(session.state.config.layout, 'plain');
    await until(() => state().hint?.offer === 'use', 'the offer');
    view.dispose();
  });

  it('stays at its request when a later one follows', async () => {
    files.texts.set('src/a.ts', words(200, 8));
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await talk();
    files.texts.set('src/a.ts', words(200, 9));
    await say('And now?');
    const { id } = lastAttempt(session.state);
    await say('And then?');
    const inspector = await openInspector(window, session.id, { id, ports: {} });
    assert.match((await hint(inspector)).text, /^The prompt layout "Continue" would have put this change at the end of the request: /);
    inspector.view.dispose();
  });

  it('offers nothing for a longer life of the cache, which no setting gives', async () => {
    await talk();
    clock.time += 10 * 60_000;
    await say('And now?');
    const inspector = await inspect();
    const { text, ...offered } = await hint(inspector);
    assert.match(text, /^A cache lifetime of 1 h would have cost less: /);
    assert.deepEqual(offered, { offer: null, done: '' });
    await inspector.view.useHint();
    assert.equal(session.state.config.layout, 'plain');
    inspector.view.dispose();
  });

  it('offers nothing in a chat that has the layout already, or asks for no caching', () => {
    const offer = (change: object): InspectorHint['offer'] =>
      hintView({ text: '', layout: 'adaptive' }, { ...CONFIG, layout: 'plain', ...change }, null).offer;
    assert.deepEqual([offer({}), offer({ layout: 'adaptive' }), offer({ cacheMode: 'system' })], ['use', null, null]);
  });
});
