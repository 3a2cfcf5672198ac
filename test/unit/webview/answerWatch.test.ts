import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { AnswerWatch } from '../../../webview/chat/answerWatch.js';

const PATIENCE_MS = 20;
const KEY = { type: 'draft', chatId: 'a', text: 'x', edit: 1 } as const;

describe('a page that nobody answers', () => {
  let silences = 0;
  let watch: AnswerWatch;

  beforeEach(() => {
    silences = 0;
    watch = new AnswerWatch(PATIENCE_MS, () => {
      silences += 1;
    });
  });

  it('notices it once, however much is typed', async () => {
    watch.posted(KEY);
    watch.posted({ ...KEY, edit: 2 });
    await setTimeout(3 * PATIENCE_MS);
    watch.posted({ ...KEY, edit: 3 });
    await setTimeout(3 * PATIENCE_MS);
    assert.equal(silences, 1);
  });

  it('is none while there are answers, or nothing that wants one', async () => {
    watch.posted(KEY);
    watch.received();
    watch.posted({ type: 'focusChanged', isFocused: true });
    await setTimeout(3 * PATIENCE_MS);
    assert.equal(silences, 0);
  });
});
