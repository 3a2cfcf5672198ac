import assert from 'node:assert/strict';
import { nothing } from 'lit';
import type {
  WrittenFileView,
  EditChangeView,
  ToolApprovalView,
  ToolCallView,
  ToolQuestionView,
} from '../../../src/protocol/panel/toolCalls.js';
import { announcement } from '../../../webview/chat/shell/announcement.js';
import { filesWritten } from '../../../webview/chat/entries/filesWritten.js';
import { toolCalls, type CallExtras } from '../../../webview/chat/entries/toolCalls.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { retryQuestion } from '../../../webview/chat/questions/retryQuestion.js';
import { EMPTY_PANEL } from '../../../webview/preview/views.js';
import { repeatLine, repeatsGroup } from '../../../webview/chat/request/repeats.js';
import { image } from '../../support/engine/messages.js';
import { entryScope, TOOL_CALL } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const BESIDE: CallExtras = { below: () => nothing, isDimmed: () => false, lines: () => '', price: () => '' };

const open = (...parts: readonly string[]) => ({ scope: entryScope(...parts), beside: BESIDE, attemptId: 'a', isOpen: true });

const WAITING: ToolQuestionView = {
  ...{ covers: 'tool', asked: [], saysItOnlyReads: false, hasChanged: false, secret: null, isSetup: false, change: null },
};

const HIDDEN = 'read\u202Eelif';

describe('A result that is sent as a reference', () => {
  const of = 'result 1 of read a\u202E.ts';
  const same = { label: 'read a.ts', of, isChanged: false, saved: 3_141, messageId: 'r', callId: 'c' };

  it('says below its call what it refers to and what that saves', () => {
    assert.match(words(repeatLine(same)), /^Next request: a reference to result 1 of read a U\+202E \.ts, saves 3,141 tokens$/);
    assert.match(words(repeatLine({ ...same, isChanged: true })), /^Next request: the difference to result 1 /);
    assert.equal(repeatLine(undefined), nothing);
  });

  it('is a row of the next request with the tokens that it saves, and can be shown in full', () => {
    const scope = {
      chatId: 'chat',
      hasSwitches: false,
      prices: null,
      basis: 'exact',
      isOpen: () => true,
      toggle: () => undefined,
    } as const;
    const shown = repeatsGroup({ results: 2, saved: 6_000, first: [same] }, scope);
    assert.match(
      words(shown),
      /Results sent as references 2 −6,000 read a\.ts same as result 1 of .* Show full text of read a\.ts −3,141 1 more result/,
    );
    assert.equal(repeatsGroup({ results: 0, saved: 0, first: [] }, scope), nothing);
  });
});

describe('A call of a tool', () => {
  const row = (call: Partial<ToolCallView>): string => words(toolCalls([{ ...TOOL_CALL, ...call }], 0, open('tools-0-0')));
  const approval = (scope: ToolApprovalView['scope'], binding: string | null): string =>
    row({ approval: { scope, reason: null, binding } });

  it('tells what it was allowed, and offers to take that back as long as it holds', () => {
    assert.match(approval('always', 'b'), /Always allowed Take back/);
    assert.match(approval('always', null), /Always allowed, taken back/);
    assert.match(approval('chat', 'b'), /Allowed in this chat Take back/);
    assert.match(approval('chat', null), /Allowed in this chat, taken back/);
    assert.match(approval('once', null), /Allowed once(?!,| Take back)/);
  });

  it('that failed offers to solve the problem of its server, as long as the server does not run', () => {
    const failedServers = [{ name: 'git', problem: 'It ended.', wantsSignIn: false }];
    const result = { messageId: null, text: 'The server "git" does not run.', images: [], cut: null, tokens: 1 };
    const shown = (call: Partial<ToolCallView>, servers: EntryScope['failedServers'], ...parts: readonly string[]): string => {
      const rows = open(...parts);
      const all = { ...TOOL_CALL, serverName: 'git', status: { kind: 'failed' }, result, ...call } as const;
      return words(toolCalls([all], 0, { ...rows, scope: { ...rows.scope, failedServers: servers } }));
    };
    assert.match(shown({}, failedServers), /The server "git" does not run\. The model got this error\. Show log Start again$/);
    assert.match(shown({}, failedServers, 'tools-0-0'), /Show log Start again$/);
    assert.doesNotMatch(shown({}, []), /Show log/);
    assert.doesNotMatch(shown({ serverName: 'files' }, failedServers), /Show log/);
    assert.doesNotMatch(shown({ status: { kind: 'done' } }, failedServers), /Show log/);
  });

  it('shows all images of its result', () => {
    const images = ['a', 'b', 'c', 'd', 'e'].map((blob) => image(blob));
    const call = { ...TOOL_CALL, result: { messageId: 'm', text: '', images, cut: null, tokens: 8_000 } };
    assert.equal(markup(toolCalls([call], 0, open())).split('<loupe-image').length - 1, 5);
    assert.doesNotMatch(words(toolCalls([call], 0, open('tools-0-0'))), /Result/, 'no empty text');
  });

  it('has what it did, the lines that it changed, its tokens and its price in one accessible name', () => {
    const call: ToolCallView = {
      ...TOOL_CALL,
      name: 'edit_file',
      subject: 'src/heap.ts',
      result: { messageId: 'm', text: '', images: [], cut: null, tokens: 96 },
    };
    const rows = { ...open(), beside: { ...BESIDE, lines: () => '+12 −3', price: () => '$0.0044' } };
    const shown = (changes: Partial<ToolCallView>): string => words(toolCalls([{ ...call, ...changes }], 0, rows));
    assert.match(shown({}), /^edited src\/ heap\.ts \+12 −3 96 tokens \$0\.0044/);
    assert.match(shown({ status: { kind: 'failed' }, result: null }), /^edit src\/ heap\.ts \+12 −3 failed \$0\.0044/);
    assert.match(shown({ status: { kind: 'running', progress: null }, result: null }), /^editing src\/ heap\.ts \+12 −3 running \$0\.0044/);
  });

  it('is named as a call of its tool where the tool is of a server', () => {
    assert.match(row({ serverName: 'files', subject: 'a.ts' }), /^called read_file a\.ts .*Tool: read_file of files/);
    assert.match(row({ subject: 'a.ts', durationMs: 1_840 }), /^read a\.ts .*Tool: read_file, 1\.8 s/);
  });

  it('is hidden while the turn is closed, unless it waits for the user', () => {
    const waits: ToolCallView = {
      ...TOOL_CALL,
      callId: 'w',
      name: 'edit_file',
      status: { kind: 'waiting', question: WAITING },
    };
    const closed = words(toolCalls([TOOL_CALL, waits], 0, { ...open(), isOpen: false }));
    assert.match(closed, /^edit needs approval .*Allow edit_file \?/);
    assert.doesNotMatch(closed, /\bread\b/);
  });

  it('shows hidden characters in its names, its arguments and its result, also to screen readers', () => {
    const waits = {
      kind: 'waiting',
      question: WAITING,
    } as const;
    const call: ToolCallView = { ...TOOL_CALL, name: HIDDEN, serverName: 'fi\u200Bles', args: '{"a":"x\\u202ey"}', status: waits };
    const result = { messageId: null, text: 'o\u2066k', images: [], cut: null, tokens: 1 };
    for (const shown of [
      toolCalls([call], 0, open()),
      toolCalls([call], 0, open('tools-0-0:refusing')),
      toolCalls([{ ...call, status: { kind: 'running', progress: null } }], 0, open('tools-0-0')),
      toolCalls([{ ...call, status: { kind: 'failed' }, result }], 0, open('tools-0-0')),
    ]) {
      assert.doesNotMatch(markup(shown), /[\u200B\u202E\u2066]/);
      assert.match(words(shown), /U\+202E/);
    }
  });

  const asks = (hasChanged: boolean, change: EditChangeView | null): string =>
    row({
      name: 'edit_file',
      status: { kind: 'waiting', question: { ...WAITING, hasChanged, change } },
    });

  it('that waits to read a file with secrets says so', () => {
    const question = { ...WAITING, covers: 'call', secret: 'name' } as const;
    const shown = row({ name: 'read_file', subject: 'config/.env', status: { kind: 'waiting', question } });
    assert.match(shown, /Let it read \.env \? It usually has passwords or keys, and goes to the model provider\./);
  });

  it('that waits to edit a file that can start programs says so', () => {
    const question = { ...WAITING, covers: 'call', isSetup: true } as const;
    const shown = row({ name: 'edit_file', subject: '.git/config', status: { kind: 'waiting', question } });
    assert.match(shown, /\.git\/config can start programs, or change what VS Code and git start\. View the change/);
  });

  it('that waits tells what an edit would change, or that it would change nothing', () => {
    assert.match(asks(false, null), /View the change/);
    assert.match(asks(false, { ok: true, added: 1, removed: 1 }), /\+1 −1 View the change/);
    assert.match(asks(false, { ok: false, reason: 'a.ts is gone.' }), /This edit would change nothing: a\.ts is gone\./);
  });

  it('whose server asks something waits for the user, and says where', () => {
    const running = (asks: boolean): string =>
      row({ serverName: 'files', status: { kind: 'running', progress: { done: 0, total: null, text: null, asks } } });
    assert.match(running(true), /needs your answer .*files has a question for you at the top of the window\./);
    assert.doesNotMatch(running(false), /needs|asks/);
  });

  it('that waits says that a tool of Loupe only reads, and for a tool of a server only what the server says', () => {
    const status = { kind: 'waiting', question: { ...WAITING, saysItOnlyReads: true } } as const;
    const opened = (serverName: string | null): string =>
      words(toolCalls([{ ...TOOL_CALL, serverName, status }], 0, open('tools-0', 'tools-0-0', 'tools-0-0:whole')));
    assert.match(opened(null), /Read-only: it cannot change anything\./);
    assert.match(opened('files'), /Its server says that it only reads\./);
  });

  it('that waits lets a tool be compared with what was allowed, where it has changed', () => {
    assert.match(asks(true, null), /Changed since you allowed it\. Compare/);
    assert.doesNotMatch(asks(false, null), /Compare/);
  });
});

describe('The files that tools wrote', () => {
  const FILE: WrittenFileView = {
    ...{ kind: 'written', path: 'src/a.ts', added: 12, removed: 3, state: 'applied', messageId: 'm', hasEarlier: true },
  };
  const rows = (...files: WrittenFileView[]): string => words(filesWritten(files, entryScope()));

  it('have their lines, what became of them, and Undo where it can be undone', () => {
    assert.equal(rows(FILE), 'a.ts src +12 −3 applied Undo');
    assert.equal(rows({ ...FILE, state: 'undone' }), 'a.ts src +12 −3 undone');
    assert.equal(rows({ ...FILE, state: 'deleted', added: null, hasEarlier: false }), 'a.ts src changed deleted');
    assert.equal(rows({ ...FILE, messageId: null }), 'a.ts src +12 −3 applied');
    assert.equal(words(filesWritten([FILE], { ...entryScope(), isLocked: true })), 'a.ts src +12 −3 applied');
    assert.match(markup(filesWritten([FILE], entryScope())), /aria-label=Undo src\/a\.ts\n/);
  });

  it('are told apart from edits that were not made, which say why', () => {
    const unapplied = { kind: 'unapplied', path: 'counter.ts', why: 'changed', callId: 'c' } as const;
    assert.equal(rows(unapplied), 'counter.ts changed after the model read it not applied Compare');
    assert.equal(rows({ ...unapplied, why: 'outside' }), 'counter.ts outside the workspace folder not applied Compare');
    assert.match(markup(filesWritten([FILE, unapplied], entryScope())), /aria-label=Files written \(1\)/);
  });

  it('show hidden characters of their names', () => {
    const shown = filesWritten([{ ...FILE, path: `src/${HIDDEN}` }], entryScope());
    assert.doesNotMatch(markup(shown), /\u202E/);
  });
});

describe('A retry that may restore files', () => {
  const file = { path: 'a.ts', action: 'write', problem: null, added: 1, removed: 2, isChangedSince: true } as const;
  const offer = { cause: 'retry', messageId: 'u', files: [file], isOn: true } as const;

  it('is a question, which is announced once', () => {
    const shown = retryQuestion(offer, { chatId: 'c', send: () => undefined, fold: { isOpen: true, onToggle: () => undefined } });
    assert.equal(
      words(shown),
      'Retry this message? Later messages move to a branch. Also restore 1 file a.ts +1 −2 changed since then Compare Retry Hide Cancel',
    );
    assert.match(markup(shown), /role="group" aria-label=Retry this message\?/);
    const asked = { ...EMPTY_PANEL, restoreOffer: offer };
    assert.equal(announcement(EMPTY_PANEL, asked), 'Retry this message?');
    assert.equal(announcement(asked, { ...asked, restoreOffer: { ...offer, isOn: false } }), null);
    assert.equal(announcement(EMPTY_PANEL, { ...EMPTY_PANEL, restoreOffer: { ...offer, cause: 'edit' } }), null);
  });
});
