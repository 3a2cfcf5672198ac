import assert from 'node:assert/strict';
import type { Reply } from '../support/cachingServer/options.js';
import { block, HOUR_MARK, MARK, MINUTE, numbered, Rig, send, sizes, usage } from '../support/cachingServer/rig.js';

// Each rule as https://platform.claude.com/docs/en/build-with-claude/prompt-caching has it.

describe('the caching server: lifetimes of the Messages API', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('lifetimes', () => {
    it('keeps an entry for 5 minutes, and a read makes it 5 minutes more', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(2, [2]));
      server.advance(5 * MINUTE);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ read: 200 }));
      server.advance(5 * MINUTE);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ read: 200 }));
      server.advance(5 * MINUTE + 1);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
    });

    it('keeps one with a ttl of 1h for an hour', async () => {
      const server = await rig.startSmall({});
      const body = { messages: [{ role: 'user', content: [{ ...block('u', 100), ...HOUR_MARK }] }] };
      assert.deepEqual(await usage(server, body), sizes({ written1h: 100 }));
      server.advance(60 * MINUTE);
      assert.deepEqual(await usage(server, body), sizes({ read: 100 }));
      server.advance(60 * MINUTE + 1);
      assert.deepEqual(await usage(server, body), sizes({ written1h: 100 }));
    });

    it('measures from the start of the request, not from the end of its response', async () => {
      let open = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        open = resolve;
      });
      let isFirst = true;
      const reply = async (): Promise<Reply> => {
        if (isFirst) {
          isFirst = false;
          queueMicrotask(() => {
            server.advance(4 * MINUTE);
            open();
          });
          await held;
        }
        return { parts: [{ type: 'text', text: 'done' }] };
      };
      const server = await rig.start({ models: [{ id: 'practice', minimumTokens: 100 }], reply });
      await usage(server, numbered(2, [2]));
      // "A follow-up request must start within about 1 minute of that response completing."
      server.advance(MINUTE + 1);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
    });

    it('refreshes the entries at the marks in front of the one that is read', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(3, [1, 3]));
      server.advance(4 * MINUTE);
      await usage(server, numbered(3, [1, 3]));
      server.advance(4 * MINUTE);
      assert.deepEqual(await usage(server, numbered(1, [1])), sizes({ read: 100 }));
    });

    it('refreshes the entry that is read by looking back', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(2, [2]));
      server.advance(4 * MINUTE);
      await usage(server, numbered(4, [4]));
      server.advance(4 * MINUTE);
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ read: 200 }));
    });

    it('lets a shorter entry without a mark expire beneath the one that is read', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(3, [1, 3]));
      server.advance(4 * MINUTE);
      await usage(server, numbered(3, [3]));
      server.advance(4 * MINUTE);
      assert.deepEqual(await usage(server, numbered(1, [1])), sizes({ written5m: 100 }));
    });

    it('makes no 1-hour entry of a mark for which nothing is billed', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(2, [2]));
      const hourMarkFirst = {
        messages: [
          {
            role: 'user',
            content: [
              { ...block('block 1 ', 100), ...HOUR_MARK },
              { ...block('block 2 ', 100), ...MARK },
            ],
          },
        ],
      };
      assert.deepEqual(await usage(server, hourMarkFirst), sizes({ read: 200 }));
      server.advance(6 * MINUTE);
      assert.deepEqual(await usage(server, hourMarkFirst), sizes({ written1h: 100, written5m: 100 }));
    });
  });

  describe('mixed lifetimes', () => {
    /** Blocks of 1,000 tokens: an hour's mark at the second and the third, five minutes' at the fifth; one more behind. */
    function mixed(names: string): object {
      const marks: Readonly<Record<number, object>> = { 1: HOUR_MARK, 2: HOUR_MARK, 4: MARK };
      const content = Array.from(names).map((name, index) => ({ ...block(name, 1_000), ...marks[index] }));
      return { messages: [{ role: 'user', content }] };
    }

    it('bills B - A for an hour and C - B for five minutes when nothing is read', async () => {
      const server = await rig.start({});
      assert.deepEqual(await usage(server, mixed('abcdef')), sizes({ written1h: 3_000, written5m: 2_000, fresh: 1_000 }));
    });

    it('bills what lies between the hit and the highest 1-hour mark for an hour', async () => {
      const server = await rig.start({});
      await usage(server, mixed('abcdef'));
      assert.deepEqual(await usage(server, mixed('abxdef')), sizes({ read: 2_000, written1h: 1_000, written5m: 2_000, fresh: 1_000 }));
    });

    it('bills nothing for an hour when the hit is at the highest 1-hour mark or behind it', async () => {
      const server = await rig.start({});
      await usage(server, mixed('abcdef'));
      assert.deepEqual(await usage(server, mixed('abcxef')), sizes({ read: 3_000, written5m: 2_000, fresh: 1_000 }));
      assert.deepEqual(await usage(server, mixed('abcdex')), sizes({ read: 5_000, fresh: 1_000 }));
    });

    it('tells 1,800 read, 100 written for an hour and 148 for five minutes, 248 in all', async () => {
      const server = await rig.start({});
      const body = (isFirst: boolean): object => ({
        messages: [
          {
            role: 'user',
            content: [
              { ...block('old', 1_800), ...(isFirst ? HOUR_MARK : {}) },
              ...(isFirst ? [] : [{ ...block('hour', 100), ...HOUR_MARK }, { ...block('minutes', 148), ...MARK }, block('new', 2_048)]),
            ],
          },
        ],
      });
      await usage(server, body(true));
      assert.deepEqual(await usage(server, body(false)), {
        input_tokens: 2_048,
        cache_read_input_tokens: 1_800,
        cache_creation_input_tokens: 248,
        cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
      });
    });
  });

  describe('concurrent requests', () => {
    it('has an entry only when the first response begins', async () => {
      const waiting: (() => void)[] = [];
      const came: (() => void)[] = [];
      const reply = async (): Promise<Reply> => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          came.shift()?.();
        });
        return { parts: [{ type: 'text', text: 'done' }] };
      };
      const server = await rig.start({ models: [{ id: 'practice', minimumTokens: 100 }], reply });
      /** Sends a request; resolves when the server has it, with its usage to come. */
      const ask = async (): Promise<{ answered: Promise<object> }> => {
        const arrived = new Promise<void>((resolve) => came.push(resolve));
        const answered = usage(server, numbered(2, [2]));
        await arrived;
        return { answered };
      };
      const first = await ask();
      const second = await ask();
      waiting.shift()?.();
      assert.deepEqual(await first.answered, sizes({ written5m: 200 }));
      const third = await ask();
      waiting.splice(0).forEach((release) => {
        release();
      });
      assert.deepEqual(await second.answered, sizes({ written5m: 200 }));
      assert.deepEqual(await third.answered, sizes({ read: 200 }));
    });

    it('has none of a request that failed', async () => {
      let isFirst = true;
      const server = await rig.start({
        models: [{ id: 'practice', minimumTokens: 100 }],
        reply: () => {
          const answered = isFirst ? { status: 529, message: 'Overloaded', headers: { 'retry-after': '3' } } : { parts: [] };
          isFirst = false;
          return answered;
        },
      });
      const failed = await send(server, numbered(2, [2]), {});
      assert.deepEqual(
        [failed.status, failed.headers.get('retry-after'), (failed.json as { error: unknown }).error],
        [529, '3', { type: 'overloaded_error', message: 'Overloaded' }],
      );
      assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
      assert.deepEqual(
        server.requests.map(({ status, usage: computed, error }) => [status, computed?.written5m, error]),
        [
          [529, undefined, 'Overloaded'],
          [200, 200, null],
        ],
      );
    });
  });
});
