import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { SHUT_DOWN } from '../../../src/engine/run/input.js';
import type { Behaviour } from '../../../src/host/chat/behaviours/behaviour.js';
import { BEHAVIOURS } from '../../../src/host/chat/behaviours/table.js';
import { column } from '../../support/columns.js';
import { useWindows } from '../../support/host/window.js';

describe('a behaviour of a chat', () => {
  const windows = useWindows();
  const table: Record<string, () => Behaviour> = BEHAVIOURS as unknown as Record<string, () => Behaviour>;

  afterEach(() => {
    delete table['trial'];
  });

  /** Adds the behaviour as its only line in the table would. Returns the names of the hooks that were called. */
  function trial(more: Behaviour): string[] {
    const called: string[] = [];
    const note = (name: string): void => {
      called.push(name);
    };
    table['trial'] = () => ({
      chatLoaded: () => {
        note('loaded');
      },
      eventsLogged: (events: readonly ChatEvent[]) => {
        called.push(...column(events, 'type').filter((type) => type === 'run-started' || type === 'run-committed'));
      },
      turnEnded: () => {
        note('ended');
      },
      stop: (reason) => {
        note(reason);
        return Promise.resolve();
      },
      ...more,
    });
    return called;
  }

  it('is called when its chat is opened, has new events, ends a turn, and closes', async () => {
    const called = trial({});
    const { window } = await windows.openChat({}, 'Hello');
    await window.chats.close();
    assert.deepEqual(called, ['loaded', 'run-started', 'run-committed', 'ended', SHUT_DOWN]);
  });

  it('can refuse the requests of a run', async () => {
    const asked: number[] = [];
    trial({
      requestComposed: () => (composed) => {
        asked.push(composed.size.tokens);
        return Promise.reject(new Error('Not this one'));
      },
    });
    const { window } = await windows.openChat({}, 'Hello');
    assert.deepEqual([asked.length, window.model.bodies.length], [1, 0]);
  });
});
