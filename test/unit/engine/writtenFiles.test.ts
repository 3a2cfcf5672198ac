import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ToolEdit } from '../../../src/engine/chat/calls/toolEdit.js';
import { filesWrittenSince, stepFiles } from '../../../src/engine/chat/writtenFiles.js';
import { logged, stateOf } from '../../support/engine/events.js';
import { result, results, text, user } from '../../support/engine/messages.js';

/** An edit of `path`. Null means no file. */
function edit(path: string, before: string | null, after: string | null): ToolEdit {
  return { path, before, after, added: 1, removed: 1, noCopy: null, blob: before };
}

/** A found change. The content before is unknown. */
function found(path: string, after: string | null): ToolEdit {
  return { path, before: null, after, added: null, removed: null, noCopy: 'notKnown', blob: null };
}

interface Round {
  readonly told: readonly ToolEdit[];
  readonly found: readonly ToolEdit[];
}

function exchange(name: string, ...rounds: readonly Round[]): NewEvent[] {
  const runId = `run-${name}`;
  return [
    logged(runId, user(name, 'Do it')),
    { type: 'run-started', runId, cause: 'message', userMessageId: name },
    ...rounds.flatMap((round, at): NewEvent[] => {
      const messageId = `results-${name}-${String(at)}`;
      const ended = round.told.map((told, index): NewEvent => {
        const callId = `${messageId}-${String(index)}`;
        return { type: 'tool-ended', runId, callId, result: result(callId, text('done')), durationMs: 1, edits: [told] };
      });
      const said = logged(runId, results(messageId));
      return [
        ...ended,
        said,
        ...(round.found.length === 0 ? [] : [{ type: 'round-edited', runId, messageId, edits: round.found } as const]),
      ];
    }),
    { type: 'run-committed', runId },
  ];
}

const told = (...edits: ToolEdit[]): Round => ({ told: edits, found: [] });

describe('the files that a rewind can put back', () => {
  const since = (id: string, ...events: NewEvent[]): unknown[] =>
    filesWrittenSince(stateOf(...events), id).map(({ path, earlier, left }) => [
      path,
      earlier.kind === 'copy' ? earlier.blob : earlier.kind === 'unknown' ? earlier.why : null,
      left,
    ]);

  it('have the copy from before the first edit, and what the last one left', () => {
    assert.deepEqual(since('u', ...exchange('u', told(edit('a', '1', '2')), told(edit('a', '2', '3'), edit('b', null, '9')))), [
      ['a', '1', '3'],
      ['b', null, '9'],
    ]);
  });

  it('are those of all replies behind the message, and of none before it', () => {
    const chat = [
      ...exchange('u', told(edit('a', '1', '2'))),
      ...exchange('v', told(edit('a', '2', '3'))),
      ...exchange('w', told(edit('b', '5', null))),
    ];
    assert.deepEqual(since('u', ...chat), [
      ['a', '1', '3'],
      ['b', '5', null],
    ]);
    assert.deepEqual(since('v', ...chat), [
      ['a', '2', '3'],
      ['b', '5', null],
    ]);
    assert.deepEqual(since('no such message', ...chat), []);
  });

  it('are none of what was set aside before', () => {
    const aside: NewEvent[] = [{ type: 'rewound', rewindId: 'r', to: 'u', reason: 'retried' }];
    assert.deepEqual(since('u', ...exchange('u', told(edit('a', '1', '2'))), ...aside), []);
  });

  it('stand in the order of their hashes where calls of one round edited them', () => {
    const round = told(edit('a', '2', '3'), edit('a', '3', '4'), edit('a', '1', '2'));
    assert.deepEqual(since('u', ...exchange('u', round)), [['a', '1', '4']]);
  });

  it('are none where a tool has put them back itself', () => {
    assert.deepEqual(
      since('u', ...exchange('u', told(edit('a', '1', '2'), edit('a', '2', '1'), edit('b', null, '7'), edit('b', '7', null)))),
      [],
    );
  });

  it('have no earlier copy where the first change was only found, and the copy where a later one was', () => {
    const first = exchange('u', { told: [], found: [found('a', '2')] }, told(edit('a', '2', '3')));
    assert.deepEqual(since('u', ...first), [['a', 'notKnown', '3']]);
    const later = exchange('u', { told: [edit('a', '1', '2')], found: [found('a', '5')] }, told(edit('b', '1', '2')));
    assert.deepEqual(since('u', ...later), [
      ['a', '1', '5'],
      ['b', '1', '2'],
    ]);
  });

  it('are as they were before a round that the user has undone', () => {
    const chat = [...exchange('u', told(edit('a', '1', '2'))), ...exchange('v', told(edit('a', '2', '3'), edit('b', null, '9')))];
    const undone = (path: string): NewEvent => ({ type: 'edit-undone', runId: 'run-v', messageId: 'results-v-0', path });
    assert.deepEqual(since('u', ...chat, undone('a')), [
      ['a', '1', '2'],
      ['b', null, '9'],
    ]);
    assert.deepEqual(since('v', ...chat, undone('a'), undone('b')), []);
  });

  it('say that a copy could not be stored', () => {
    assert.deepEqual(since('u', ...exchange('u', told({ ...edit('a', '1', '2'), blob: null, noCopy: 'notKept' }))), [
      ['a', 'notKept', '2'],
    ]);
  });
});

describe('the files of one round', () => {
  const of = (messageId: string, ...events: NewEvent[]): unknown[] =>
    stepFiles(stateOf(...events).runs.get('run-u')!, messageId).map((file) =>
      file.kind === 'written' ? [file.path, file.added, file.removed, file.isUndone] : [file.path, file.why, file.callId],
    );
  const rounds = exchange(
    'u',
    { told: [edit('a', '1', '2'), edit('a', '2', '3')], found: [found('c', '4')] },
    { told: [edit('a', '3', '4')], found: [] },
  );

  it('are its own, each once with the lines of all its edits, and say what was undone', () => {
    const undone: NewEvent = { type: 'edit-undone', runId: 'run-u', messageId: 'results-u-0', path: 'a' };
    assert.deepEqual(of('results-u-0', ...rounds, undone), [
      ['a', 2, 2, true],
      ['c', null, null, false],
    ]);
    assert.deepEqual(of('results-u-1', ...rounds, undone), [['a', 1, 1, false]]);
    assert.deepEqual(of('results-u-0', ...rounds, undone, { ...undone, type: 'edit-redone' }), of('results-u-0', ...rounds));
  });

  it('have the edits that were not made, and why', () => {
    const unapplied = { path: 'old.md', why: 'gone' } as const;
    const failed: NewEvent = {
      ...{ type: 'tool-ended', runId: 'run-u', callId: 'late', result: result('late', text('no')), durationMs: 1, edits: [], unapplied },
    };
    assert.deepEqual(of('more', ...rounds.slice(0, -1), failed, logged('run-u', results('more'))), [['old.md', 'gone', 'late']]);
  });
});
