import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AnswerWatch } from '../../../webview/chat/shell/answerWatch.js';

const PATIENCE_MS = 20;
const KEY = { type: 'draft', chatId: 'a', text: 'x', edit: 1 } as const;

describe('a page that nobody answers', () => {
  let silences = 0;
  let watch: AnswerWatch;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    silences = 0;
    watch = new AnswerWatch(PATIENCE_MS, () => {
      silences += 1;
    });
  });

  afterEach(() => {
    mock.timers.reset();
  });

  it('notices it once, however much is typed', () => {
    watch.posted(KEY);
    watch.posted({ ...KEY, edit: 2 });
    mock.timers.tick(3 * PATIENCE_MS);
    watch.posted({ ...KEY, edit: 3 });
    mock.timers.tick(3 * PATIENCE_MS);
    assert.equal(silences, 1);
  });

  it('is none while there are answers, or nothing that wants one', () => {
    watch.posted(KEY);
    watch.received();
    watch.posted({ type: 'focusChanged', isFocused: true });
    mock.timers.tick(3 * PATIENCE_MS);
    assert.equal(silences, 0);
  });
});
