import assert from 'node:assert/strict';
import { slowWork } from '../../../src/host/window/slowWork.js';
import { SteppedClock } from '../../support/host/clocks.js';

function working() {
  const clock = new SteppedClock();
  const shown: string[] = [];
  let cancel = (): void => undefined;
  const until = (what: string, ended: Promise<void>): void => {
    shown.push(what);
    void ended.then(() => shown.push(`no ${what}`));
  };
  let end: (value: number) => void = () => undefined;
  const done = slowWork(
    (signal) =>
      new Promise<number>((resolve, reject) => {
        end = resolve;
        signal.addEventListener('abort', () => {
          reject(new Error('cancelled'));
        });
      }),
    {
      clock,
      showBusy: (ended) => {
        until('busy', ended);
      },
      offerCancel: (ended, offered) => {
        cancel = offered;
        until('cancel', ended);
      },
    },
  );
  const pass = async (): Promise<void> => {
    clock.step();
    await new Promise(setImmediate);
  };
  return {
    clock,
    shown,
    done,
    pass,
    end: (value: number) => {
      end(value);
    },
    cancel: () => {
      cancel();
    },
  };
}

describe('Slow work', () => {
  it('is not shown when it ends within a second', async () => {
    const { shown, done, end, clock } = working();
    end(7);
    assert.equal(await done, 7);
    assert.deepEqual([shown, clock.sleepers], [[], 0]);
  });

  it('is shown without words after a second, until it ends', async () => {
    const { shown, done, end, pass } = working();
    await pass();
    assert.deepEqual(shown, ['busy']);
    end(7);
    assert.equal(await done, 7);
    assert.deepEqual(shown, ['busy', 'no busy']);
  });

  it('can be cancelled when it takes five seconds', async () => {
    const { clock, shown, done, cancel, pass } = working();
    const begin = clock.now();
    await pass();
    await pass();
    assert.deepEqual([shown, clock.now() - begin], [['busy', 'cancel'], 5_000]);
    cancel();
    await assert.rejects(done, /cancelled/);
    assert.deepEqual(shown, ['busy', 'cancel', 'no busy', 'no cancel']);
  });
});
