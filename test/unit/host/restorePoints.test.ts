import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SHUT_DOWN, STOP } from '../../../src/engine/run/input.js';
import { restorePoint } from '../../../src/host/chat/restorePoint/restorePoint.js';
import { user } from '../../support/engine/messages.js';
import { logged, stateOf } from '../../support/engine/events.js';

/** Longer than the pause before an update. */
const REST_MS = 3_000;

describe('the restore point of an open chat', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => {
    mock.timers.reset();
  });

  function opened() {
    const updates: number[] = [];
    const chat = { isRunning: false, deletedBy: null as 'thisWindow' | null };
    const behaviour = restorePoint({
      store: {
        updateDerived: (_chatId, messages) => {
          updates.push(messages);
          return Promise.resolve();
        },
      },
      log: {
        state: stateOf(logged(null, user('u', 'Hello'))),
        get deletedBy() {
          return chat.deletedBy;
        },
      },
      isRunning: () => chat.isRunning,
      neededMessages: () => 7,
      logError: (error) => {
        throw error;
      },
    });
    return { updates, chat, behaviour };
  }

  it('is updated once after new events, when no run is active', () => {
    const { updates, chat, behaviour } = opened();
    chat.isRunning = true;
    behaviour.eventsLogged?.([]);
    mock.timers.tick(REST_MS);
    assert.deepEqual(updates, []);
    chat.isRunning = false;
    behaviour.eventsLogged?.([]);
    behaviour.turnEnded?.();
    mock.timers.tick(REST_MS);
    assert.deepEqual(updates, [7]);
  });

  it('is not updated in a deleted chat, but after the deletion is undone', async () => {
    const { updates, chat, behaviour } = opened();
    chat.deletedBy = 'thisWindow';
    await behaviour.stop?.(STOP);
    behaviour.eventsLogged?.([]);
    mock.timers.tick(REST_MS);
    assert.deepEqual(updates, []);
    chat.deletedBy = null;
    behaviour.eventsLogged?.([]);
    mock.timers.tick(REST_MS);
    assert.deepEqual(updates, [7]);
  });

  it('is not updated when its window closes, also after the last events', async () => {
    const { updates, behaviour } = opened();
    behaviour.eventsLogged?.([]);
    await behaviour.stop?.(SHUT_DOWN);
    behaviour.eventsLogged?.([]);
    mock.timers.tick(REST_MS);
    assert.deepEqual(updates, []);
  });
});
