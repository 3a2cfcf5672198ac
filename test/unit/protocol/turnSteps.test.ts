import assert from 'node:assert/strict';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import type { ToolCallView, WrittenFileView } from '../../../src/protocol/panel/toolCalls.js';
import { countSteps, turnsOf } from '../../../src/protocol/panel/turnSteps.js';
import { text, userEntry } from '../../../webview/preview/views.js';
import { ASSISTANT_ENTRY, TOOL_CALL } from '../../support/webview/entries.js';

function call(name: string, subject: string, changes: Partial<ToolCallView>): ToolCallView {
  return { ...TOOL_CALL, callId: `${name} ${subject}`, name, subject, ...changes };
}

function step(files: readonly WrittenFileView[], ...parts: ToolCallView[]): EntryView {
  return { ...ASSISTANT_ENTRY, parts, files };
}

function written(path: string, state: 'applied' | 'deleted' | 'undone'): WrittenFileView {
  return { kind: 'written', path, added: 1, removed: 1, state, messageId: 'm', hasEarlier: true };
}

const NONE = { filesRead: 0, filesEdited: 0, filesUndone: 0, commands: 0, servers: [], failed: 0, refused: 0, stopped: 0 };

describe('The steps of a turn', () => {
  it('are its replies with tool calls', () => {
    const reply: EntryView = { ...ASSISTANT_ENTRY, parts: [text('Done.')] };
    assert.deepEqual(countSteps([userEntry('u', 'Go'), step([], call('list_files', '', {})), reply]), { ...NONE, steps: 1 });
    assert.deepEqual(countSteps([userEntry('u', 'Go'), reply]), { ...NONE, steps: 0 });
  });

  it('count each file once that was read, also over several steps', () => {
    const turn = [step([], call('read_file', 'a.ts', {}), call('read_file', 'b.ts', {})), step([], call('read_file', 'a.ts', {}))];
    assert.deepEqual(countSteps(turn), { ...NONE, steps: 2, filesRead: 2 });
  });

  it('count files that were written by what is left of the changes, whichever tool wrote them', () => {
    const unapplied: WrittenFileView = { kind: 'unapplied', path: 'd.ts', why: 'changed', callId: 'x' };
    const turn = [
      step([written('a.ts', 'applied'), written('b.ts', 'undone')], call('write', 'a.ts', { serverName: 'files' })),
      step([written('a.ts', 'undone'), written('c.ts', 'deleted'), unapplied], call('edit_file', 'c.ts', {})),
    ];
    assert.deepEqual(countSteps(turn), { ...NONE, steps: 2, filesEdited: 2, filesUndone: 1, servers: [{ name: 'files', calls: 1 }] });
  });

  it('count commands, and calls by server', () => {
    const turn = [
      step([], call('run_command', 'npm test', {}), call('run_command', 'npm run lint', {})),
      step(
        [],
        call('read_file', 'a.ts', { serverName: 'git' }),
        call('log', '', { serverName: 'git' }),
        call('x', '', { serverName: 'web' }),
      ),
    ];
    assert.deepEqual(countSteps(turn), {
      ...NONE,
      steps: 2,
      commands: 2,
      servers: [
        { name: 'git', calls: 2 },
        { name: 'web', calls: 1 },
      ],
    });
  });

  it('count calls that failed, were refused or stopped, and not as what they would have done', () => {
    const ended = (kind: 'failed' | 'refused' | 'stopped' | 'lost'): ToolCallView => call('read_file', `${kind}.ts`, { status: { kind } });
    const turn = [step([], ended('failed'), ended('refused'), ended('stopped'), ended('lost'))];
    assert.deepEqual(countSteps(turn), { ...NONE, steps: 1, failed: 1, refused: 1, stopped: 2 });
  });
});

describe('The turns of a conversation', () => {
  it('begin with the messages of the user, except the first of a part', () => {
    const entries = [step([]), userEntry('u1', 'One'), step([]), step([]), userEntry('u2', 'Two')];
    assert.deepEqual(
      turnsOf(entries).map(({ length }) => length),
      [1, 3, 1],
    );
    assert.deepEqual(turnsOf([]), []);
  });
});
