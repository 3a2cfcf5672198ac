import assert from 'node:assert/strict';
import { watchChats } from '../../../src/host/chat/windows/watchChats.js';
import { nodeFiles } from '../../../src/storage/files/files.js';
import type { Ticker } from '../../../src/storage/windows/liveness.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { partialText, runStatuses } from '../../support/host/reading.js';
import { DEAD_PID, useWindows, type Window } from '../../support/host/window.js';
import { Gate } from '../../support/http/gate.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { openStreaming } from '../../support/host/streaming.js';

class Ticks {
  readonly #ticks = new Map<number, () => void>();
  readonly start: Ticker = (ms, tick) => {
    this.#ticks.set(ms, tick);
    return () => {
      this.#ticks.delete(ms);
    };
  };
  get intervals(): number[] {
    return [...this.#ticks.keys()].sort((a, b) => a - b);
  }
  tick(ms: number): void {
    this.#ticks.get(ms)?.();
  }
}

describe('watching the chats that other windows write', () => {
  const windows = useWindows();

  function watched(): { readonly window: Window; readonly ticks: Ticks; readonly dispose: () => void } {
    const window = windows.open({ writerId: 'watching' });
    const ticks = new Ticks();
    const watch = watchChats(window.chats, {
      root: windows.folder,
      writerId: 'watching',
      ticker: ticks.start,
      logError: (error) => window.errors.push(error),
    });
    const dispose = (): void => {
      watch.dispose();
    };
    window.closing.push(() => {
      dispose();
      return Promise.resolve();
    });
    return { window, ticks, dispose };
  }

  it('shows a chat that is made, its turns in the open chat, and its deletion, without anyone asking', async () => {
    const { window } = watched();
    const { window: other, session: made } = await windows.openChat({ writerId: 'other', pid: process.ppid });
    await until(() => window.chats.list().length === 1, 'the new chat is listed');
    const seen = await window.chats.open(made.id);
    await made.conversation.send('/long 2');
    await until(() => runStatuses(seen.state)[0] === 'committed', 'the turn shows');
    await made.titler.rename('Renamed');
    await until(() => window.chats.list()[0]?.title === 'Renamed', 'the title shows');
    await other.chats.delete(made.id);
    await until(() => window.chats.list().length === 0, 'the deletion shows');
    assert.deepEqual(window.errors, []);
  });

  it('shows a chat whose making takes its time as soon as it is made', async () => {
    const { window } = watched();
    const { opened: held, open: goOn } = new Gate();
    const storage = { ...nodeFiles, open: (path: string) => held.then(() => nodeFiles.open(path)) };
    const creating = windows.open({ writerId: 'slow', storage }).chats.create();
    await until(() => window.chats.watchedIds().length === 1, 'it is known that there will be one');
    assert.deepEqual(window.chats.list(), []);
    goOn();
    const { id } = await creating;
    await until(() => window.chats.list()[0]?.id === id, 'it is listed');
    assert.deepEqual(window.errors, []);
  });

  it('follows a chat that was there before and is not open', async () => {
    const { session: made } = await windows.openChat({ writerId: 'other', pid: process.ppid });
    const { window } = watched();
    await window.chats.refresh();
    await made.titler.rename('Renamed');
    await until(() => window.chats.list()[0]?.title === 'Renamed', 'the title shows');
  });

  it('finds out by looking that a window died, which changes no file', async () => {
    const clock = new SteppedClock();
    const { window, ticks } = watched();
    const { session } = await windows.openChat({ clock, writerId: 'killed', pid: DEAD_PID });
    void session.conversation.send('/long 300');
    await stepUntil(clock, () => partialText(session).length > 20, 'text streams');
    const seen = await window.chats.open(session.id);
    await until(() => {
      ticks.tick(1_000);
      return runStatuses(seen.state)[0] === 'interrupted';
    }, 'the run shows as interrupted');
  });

  it('looks at everything from time to time, should the file system tell of nothing', () => {
    const { window, ticks } = watched();
    const looked: string[] = [];
    window.chats.otherWindows.pollAll = () => {
      looked.push('all');
      return Promise.resolve();
    };
    ticks.tick(15_000);
    assert.deepEqual(looked, ['all']);
  });

  it('ends when it is disposed', async () => {
    const { window, ticks, dispose } = watched();
    const { window: control } = watched();
    dispose();
    assert.deepEqual(ticks.intervals, []);
    const looks: string[] = [];
    window.chats.otherWindows.poll = () => {
      looks.push('look');
      return Promise.resolve();
    };
    await windows.open({ writerId: 'other' }).chats.create();
    await until(() => control.chats.list().length === 1, 'another watch has told the same');
    assert.deepEqual(looks, []);
  });
});

describe('what another window did, before this one has looked', () => {
  const windows = useWindows();

  it('counts as ended with unknown usage where it was killed in a reply', async () => {
    const { session } = await openStreaming(windows, { writerId: 'first', pid: DEAD_PID, models: BILLED_MODELS }, '/long 60', 200);
    const { chats } = windows.open({ writerId: 'second', models: BILLED_MODELS });
    const totals = async (): Promise<unknown> => {
      const { attempts, unknownAttempts } = await chats.usage.all();
      return [attempts, unknownAttempts, chats.list().map(({ running, unknownRequests }) => [running, unknownRequests])];
    };
    assert.deepEqual(await totals(), [1, 1, [[false, 1]]]);
    await chats.open(session.id);
    assert.deepEqual(await totals(), [1, 1, [[false, 1]]]);
  });

  it('leaves a chat its one session, where it undid a deletion', async () => {
    const { window, session } = await windows.openChat({ writerId: 'first', pid: process.ppid }, '/long 2');
    const other = windows.open({ writerId: 'second' });
    const told: string[] = [];
    other.chats.otherWindows.onChange({
      deleted: ({ id }) => told.push(`deleted ${id}`),
      restored: (id) => told.push(`broughtBack ${id}`),
    });
    const seen = await other.chats.open(session.id);
    await window.chats.delete(session.id);
    await other.chats.otherWindows.poll([session.id]);
    await window.chats.undelete(session.id);
    assert.equal(await other.chats.open(session.id), seen);
    const sending = seen.conversation.send('/long 2');
    await other.chats.otherWindows.poll([session.id]);
    assert.equal(await other.chats.open(session.id), seen);
    await sending;
    assert.deepEqual(runStatuses(seen.state), ['committed', 'committed']);
    assert.deepEqual([told, other.errors], [[`deleted ${session.id}`, `broughtBack ${session.id}`], []]);
  });
});
