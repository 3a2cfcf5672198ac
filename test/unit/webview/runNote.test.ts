import assert from 'node:assert/strict';
import type { RunNoteEntry } from '../../../src/protocol/panel/entries.js';
import { markedReplies } from '../../../webview/chat/entries/markedReplies.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { assistantEntry, userEntry } from '../../../webview/preview/views.js';
import { entryScope } from '../../support/webview/entries.js';
import { markup } from '../../support/webview/markup.js';
import { runNoteEntry, stoppedLine } from '../../../webview/chat/notes/runNoteEntry.js';

const STOPPED: RunNoteEntry = {
  kind: 'runNote',
  id: 'n',
  status: 'stopped',
  text: 'Stopped',
  detail: null,
  attemptId: null,
  failures: [],
  actions: ['retry'],
  isLast: true,
  userMessageId: 'u',
};

function shown(changes: Partial<RunNoteEntry>): string {
  const entry = { ...STOPPED, ...changes };
  return (
    markup(stoppedLine(entry, entry.actions, { chatId: 'c' } as EntryScope))
      // A handler contains `=>`, which ends no tag.
      .replaceAll('=>', '')
      .replaceAll(/<[^>]*>/gs, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

describe('The note about a run that you stopped', () => {
  it('is one line with what can be done', () => {
    assert.equal(shown({}), 'Stopped · Retry');
    assert.equal(shown({ actions: ['continue', 'retry'] }), 'Stopped · Continue · Retry');
    assert.equal(
      shown({ text: 'The reply was stopped before any text arrived.', attemptId: 'a' }),
      'The reply was stopped before any text arrived. · Retry · Show request',
    );
    assert.equal(shown({ actions: [] }), 'Stopped');
  });

  it('tells the ending for the replies above it, as far as the question', () => {
    const reply = (id: string, status: 'stopped' | 'done' | 'interrupted') => ({ ...assistantEntry(id), status });
    const entries = [reply('a', 'stopped'), userEntry('u', 'Why?'), reply('b', 'done'), reply('c', 'stopped'), STOPPED];
    assert.deepEqual([...markedReplies(entries).noted], ['c']);
    assert.deepEqual([...markedReplies([reply('a', 'stopped')]).noted], []);
    assert.deepEqual([...markedReplies([reply('a', 'interrupted'), { ...STOPPED, status: 'interrupted' }]).noted], ['a']);
  });

  it('is apart from the newest reply, and from replies of another model than the reply before', () => {
    const by = (id: string, key: string) => ({ ...assistantEntry(id), model: { label: key, key } });
    const { newest, newModels } = markedReplies([
      by('a', 'one'),
      { ...assistantEntry('b'), model: null },
      by('c', 'one'),
      by('d', 'two'),
      STOPPED,
    ]);
    assert.equal(newest, 'd');
    assert.deepEqual([...newModels], ['d']);
    assert.deepEqual(markedReplies([STOPPED]).newest, null);
  });
});

describe('The note about a run that failed', () => {
  it('is in red only until another run follows', () => {
    const classes = (isLast: boolean): string | undefined =>
      /class="([^"]*run-note [^"]*)"/.exec(markup(runNoteEntry({ ...STOPPED, status: 'failed', isLast }, entryScope())))?.[1];
    assert.deepEqual([classes(true), classes(false)], ['entry run-note failed', 'entry run-note past']);
  });
});
