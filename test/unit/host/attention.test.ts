import assert from 'node:assert/strict';
import type { ChatListItem } from '../../../src/protocol/panel/view.js';
import { Attention } from '../../../src/host/panel/shell/attention.js';
import { LISTED_CHAT } from '../../support/listedChat.js';

class Rig {
  isVisible: boolean | 'a' = false;
  isFocused = true;
  readonly badges: (number | null)[] = [];
  tooltip = '';
  readonly notified: string[] = [];
  inProgress = 0;
  readonly attention: Attention;
  #running: readonly string[] = [];
  #waiting: readonly string[] = [];
  #changed: () => void = () => undefined;

  constructor() {
    this.attention = new Attention({
      chats: {
        isListed: true,
        list: () => ['a', 'b'].map((id) => this.#item(id)),
        onChange: (listener) => {
          this.#changed = () => {
            listener.changed(null);
          };
          return () => undefined;
        },
      },
      isVisible: (id) => this.isVisible === true || this.isVisible === id,
      isFocused: () => this.isFocused,
      notify: ({ title }, what) => this.notified.push(what === 'ended' ? title : `${title} waits`),
      progress: (ended) => {
        this.inProgress += 1;
        void ended.then(() => (this.inProgress -= 1));
      },
    });
    this.attention.onBadge((badge) => {
      this.badges.push(badge?.value ?? null);
      this.tooltip = badge?.tooltip ?? '';
    });
  }

  run(...ids: string[]): void {
    this.#running = ids;
    this.#changed();
  }

  wait(...ids: string[]): void {
    this.#waiting = ids;
    this.#changed();
  }

  #item(id: string): ChatListItem {
    const [running, waiting] = [this.#running.includes(id), this.#waiting.includes(id)];
    return { ...LISTED_CHAT, id, title: `Chat ${id}`, messageCount: 1, updatedAt: 1, running, waiting };
  }
}

describe('Outside the panel', () => {
  it('a badge counts the chats whose reply ended while the panel was hidden, until it is seen', () => {
    const rig = new Rig();
    rig.run('a', 'b');
    rig.run('b');
    rig.run();
    assert.deepEqual([rig.badges.at(-2), rig.badges.at(-1)], [1, 2]);
    rig.isVisible = true;
    rig.attention.seen();
    assert.equal(rig.badges.at(-1), null);
    rig.run('a');
    rig.run();
    assert.equal(rig.badges.at(-1), null);
  });

  it('a chat that waits for the user is told once, and counts until it is seen', () => {
    const rig = new Rig();
    rig.run('a', 'b');
    rig.wait('a');
    rig.run('a');
    assert.deepEqual(
      [rig.badges.at(-1), rig.tooltip, rig.notified],
      [2, '1 chat needs approval, 1 chat has a new reply', ['Chat a waits', 'Chat b']],
    );
    rig.isVisible = true;
    rig.attention.seen();
    assert.equal(rig.badges.at(-1), null);
    rig.wait();
    rig.wait('a');
    assert.deepEqual([rig.badges.at(-1), rig.notified.length], [null, 2], 'where the user sees it nothing else tells it');
  });

  it('a chat counts as seen where that one is on show', () => {
    const rig = new Rig();
    rig.isVisible = 'a';
    rig.run('a', 'b');
    rig.run();
    assert.deepEqual([rig.badges.at(-1), rig.notified], [1, ['Chat b']]);
    rig.attention.seen();
    assert.equal(rig.badges.at(-1), 1);
  });

  it('a notification tells of a reply that ended while the panel was hidden or VS Code did not have the focus', () => {
    const rig = new Rig();
    rig.isVisible = true;
    rig.run('a');
    rig.run();
    assert.deepEqual(rig.notified, []);
    rig.isFocused = false;
    rig.run('b');
    rig.run();
    assert.deepEqual(rig.notified, ['Chat b']);
    rig.isFocused = true;
    rig.isVisible = false;
    rig.run('a');
    rig.run();
    assert.deepEqual(rig.notified, ['Chat b', 'Chat a']);
  });

  it('one progress shows as long as any reply is being written', async () => {
    const rig = new Rig();
    rig.run('a');
    rig.run('a', 'b');
    rig.run('b');
    assert.equal(rig.inProgress, 1);
    rig.run();
    await Promise.resolve();
    assert.equal(rig.inProgress, 0);
  });
});
