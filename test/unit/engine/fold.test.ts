import assert from 'node:assert/strict';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { SessionContextItem } from '../../../src/engine/record/item.js';
import { column } from '../../support/columns.js';
import {
  CONFIG,
  attemptEnded,
  attemptStarted,
  branchIds,
  created,
  errorRecord,
  folded,
  logged,
  plainState,
  runStarted,
  stamp,
  stateOf,
  toolStarted,
  usage,
} from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';

const error = errorRecord('The connection broke.');
const asked = [logged('r', user('u', 'Hello')), runStarted('r', 'u')];

function file(name: string, hash: string): SessionContextItem {
  return { type: 'file', name, includeMode: 'manual', addedHash: hash, given: null };
}

function text(offset: number, content: string): NewEvent {
  const pieces = [{ type: 'text', index: 0, offset, text: content } as const];
  return { type: 'attempt-progress', runId: 'r', attemptId: 'at', pieces };
}

function replyOf(state: ChatState): unknown {
  return state.attempts.get('at')?.reply;
}

function said(runId: string | null, ...ids: string[]): NewEvent[] {
  return ids.map((id) => logged(runId, assistant(id, 'Yes')));
}

function rewound(rewindId: string, to: string | null): NewEvent {
  return { type: 'rewound', rewindId, to, reason: 'edited' };
}

function restored(rewindId: string, undoId: string): NewEvent {
  return { type: 'restored', rewindId, undoId };
}

describe('an attempt that ends twice', () => {
  const ended = attemptEnded('r', 'at', 'complete');
  const told = { ...ended, usage: usage(1, 2, 3, 4), cost: { usd: 5, atLeast: false } };
  const takenForDead = attemptEnded('r', 'at', 'interrupted');
  const totals = (...ends: readonly NewEvent[]): unknown => {
    const { attempts, promptTokens, completionTokens, unknownAttempts, cost } = ledgerTotals(
      stateOf(...asked, attemptStarted('r', 'at'), ...ends),
    );
    return [attempts, promptTokens, completionTokens, unknownAttempts, cost];
  };

  it('is in the ledger once, as its own window told it, whichever line comes first', () => {
    assert.deepEqual(totals(told, takenForDead), [1, 1, 4, 0, 5]);
    assert.deepEqual(totals(takenForDead, told), [1, 1, 4, 0, 5]);
    assert.deepEqual(totals(told, told), [1, 1, 4, 0, 5]);
    assert.deepEqual(totals(takenForDead, takenForDead), [1, 0, 0, 1, null]);
  });

  it('is not unknown where the provider had turned it down', () => {
    const refused = { ...attemptEnded('r', 'at', 'failed'), error };
    assert.deepEqual(totals(refused, takenForDead), [1, 0, 0, 0, null]);
  });
});

describe('a run that another window takes for dead', () => {
  const committed: NewEvent = { type: 'run-committed', runId: 'r' };
  const takenForDead: NewEvent = { type: 'run-interrupted', runId: 'r' };
  /** The status after these ends, each with its writer. The run belongs to window `w`. */
  const statusAfter = (...ends: readonly (readonly [writer: string, end: NewEvent])[]): unknown => {
    const begun = stamp([created(), ...asked, ...said('r', 'a')], 'w');
    const more = ends.flatMap(([writer, end], at) => stamp([end], writer).map((event) => ({ ...event, seq: begun.length + 1 + at })));
    return folded([...begun, ...more]).runs.get('r')?.status;
  };

  it('has ended as its own window says, whichever line comes first', () => {
    assert.equal(statusAfter(['other', takenForDead], ['w', committed]), 'committed');
    assert.equal(statusAfter(['w', committed], ['other', takenForDead]), 'committed');
    assert.equal(statusAfter(['other', takenForDead], ['third', takenForDead]), 'interrupted');
    assert.equal(statusAfter(['w', takenForDead], ['w', takenForDead]), 'interrupted');
  });
});

describe('a new chat', () => {
  it('is what its first event says', () => {
    const { chatId, config, folders, parent, createdAt, title, timeline } = stateOf();
    assert.deepEqual(
      { chatId, config, folders, parent, createdAt, title, timeline },
      { chatId: 'sess_1_aaaaaa', config: CONFIG, folders: ['file:///project'], parent: null, createdAt: 1_000, title: null, timeline: [] },
    );
  });

  it('is found wherever that event stands', () => {
    assert.deepEqual(branchIds(folded(stamp([...asked, created()], 'w'))), ['u']);
  });
});

describe('what an event does to a chat', () => {
  it('imported gives it the id and the folders it has here, and tells where it came from', () => {
    const from = { chatId: 'sess_1_aaaaaa', folders: ['file:///project'] };
    const { chatId, folders, importedFrom } = stateOf({ type: 'imported', chatId: 'sess_2_bbbbbb', folders: ['file:///here'], from });
    assert.deepEqual({ chatId, folders, importedFrom }, { chatId: 'sess_2_bbbbbb', folders: ['file:///here'], importedFrom: from });
    assert.equal(stateOf().importedFrom, null);
  });

  it('config-changed changes the members it names', () => {
    const { config } = stateOf(
      { type: 'config-changed', change: { cacheMode: 'system' } },
      { type: 'config-changed', change: { maxPromptTokens: 9 } },
    );
    assert.deepEqual(config, { ...CONFIG, cacheMode: 'system', maxPromptTokens: 9 });
  });

  it('title gives the latest title', () => {
    const named = (title: string): NewEvent => ({ type: 'title', title, by: 'user' });
    assert.equal(stateOf(named('One'), named('Two')).title, 'Two');
  });

  it('message goes to the end of the conversation, with its run and time', () => {
    assert.deepEqual(stateOf(logged(null, user('u', 'Hi'))).timeline, [
      { kind: 'message', message: user('u', 'Hi'), runId: null, at: 1_001 },
    ]);
  });

  it('context-added and context-removed keep items by their identity', () => {
    const { context } = stateOf(
      { type: 'context-added', item: file('a.ts', '1') },
      { type: 'context-added', item: file('b.ts', '1') },
      { type: 'context-added', item: file('a.ts', '2') },
      { type: 'context-removed', item: { type: 'file', name: 'b.ts' }, leaves: 'now' },
      { type: 'context-removed', item: { type: 'rule', name: 'a.ts' }, leaves: 'now' },
    );
    assert.deepEqual([...context], [['file:a.ts', file('a.ts', '2')]]);
  });

  it('removal-undone has an item in the chat as if nobody had taken it out', () => {
    const tool = { type: 'tool', name: 'list', serverName: 'files' } as const;
    const { context, removed, declined } = stateOf(
      { type: 'context-removed', item: tool, leaves: 'now' },
      { type: 'removal-undone', item: tool },
    );
    assert.deepEqual([context.size, removed.size, declined.size], [0, 0, 0]);
  });

  it('run-started marks in the conversation where the run began', () => {
    const state = stateOf(...asked);
    assert.deepEqual(column(state.timeline, 'kind'), ['message', 'run']);
    assert.deepEqual(state.runs.get('r'), {
      id: 'r',
      userMessageId: 'u',
      cause: 'message',
      status: 'running',
      error: null,
      writer: 'w',
      attemptIds: [],
      toolsRan: false,
      calls: [],
      roundEdits: [],
      undone: [],
      question: null,
      isSplit: false,
    });
  });

  it('attempt-started adds an attempt to its run', () => {
    const state = stateOf(...asked, attemptStarted('r', 'at'));
    assert.deepEqual(state.runs.get('r')?.attemptIds, ['at']);
    const { startedAt, reply, end } = state.attempts.get('at')!;
    assert.deepEqual({ startedAt, reply, end }, { startedAt: 1_003, reply: [], end: null });
  });

  it('attempt-ended says how, with its figures, and leaves the text that came', () => {
    const end = {
      ...attemptEnded('r', 'at', 'failed'),
      usage: usage(1, 2, 3, 4),
      rawUsage: { in: 6 },
      cost: { usd: 0.5, atLeast: false },
      responseId: 'x',
    };
    const state = stateOf(...asked, attemptStarted('r', 'at'), text(0, 'Half'), end);
    const { outcome, at, usage: used, rawUsage, cost, responseId, error: why } = state.attempts.get('at')!.end!;
    assert.deepEqual(
      [outcome, at, used, rawUsage, cost, responseId, why],
      ['failed', 1_005, usage(1, 2, 3, 4), { in: 6 }, { usd: 0.5, atLeast: false }, 'x', error],
    );
    assert.deepEqual(replyOf(state), [{ type: 'text', text: 'Half' }]);
  });

  it('tool-started says that side effects may have happened', () => {
    assert.equal(stateOf(...asked).runs.get('r')?.toolsRan, false);
    assert.equal(stateOf(...asked, toolStarted('r', 'c')).runs.get('r')?.toolsRan, true);
  });

  it('any of them, but streaming text and side requests, tells that the chat was used', () => {
    const made = { purpose: 'count', model: CONFIG.model, requests: 1, usage: null, cost: null, isUnbilled: false } as const;
    const { updatedAt, latestSideRequest } = stateOf(...asked, { type: 'requests-made', attemptId: 'at', ...made });
    assert.deepEqual([updatedAt, latestSideRequest], [1_002, 1_003]);
    assert.equal(stateOf(...asked, attemptStarted('r', 'at')).updatedAt, 1_003);
    assert.equal(stateOf(...asked, attemptStarted('r', 'at'), text(0, 'x')).updatedAt, 1_003);
  });

  it('none of them takes the time of use back when the clock is set back', () => {
    const [first, second] = stamp([created(), { type: 'title', title: 'x', by: 'user' }], 'w');
    assert.equal(folded([first!, { ...second!, at: 1 }]).updatedAt, 1_000);
  });
});

describe('the end of a run', () => {
  const endings: readonly [NewEvent, string, unknown][] = [
    [{ type: 'run-committed', runId: 'r' }, 'committed', null],
    [{ type: 'run-stopped', runId: 'r' }, 'stopped', null],
    [{ type: 'run-failed', runId: 'r', error }, 'failed', error],
    [{ type: 'run-rolled-back', runId: 'r', error }, 'rolledBack', error],
    [{ type: 'run-interrupted', runId: 'r' }, 'interrupted', null],
  ];

  for (const [ending, status, why] of endings) {
    it(`${ending.type} leaves it ${status}`, () => {
      const run = stateOf(...asked, ending).runs.get('r');
      assert.deepEqual([run?.status, run?.error], [status, why]);
    });

    // The own window's end of an interrupted run can follow, see above.
    const isGuess = status === 'interrupted';
    it(`${ending.type} is final`, () => {
      for (const [later] of endings.filter(([each]) => !isGuess || each === ending)) {
        const run = stateOf(...asked, ending, later).runs.get('r');
        assert.deepEqual([run?.status, run?.error], [status, why]);
      }
    });
  }
});

describe('text that streams in', () => {
  const open = [...asked, attemptStarted('r', 'at')];

  it('grows piece by piece', () => {
    assert.deepEqual(replyOf(stateOf(...open, text(0, 'One'), text(3, ' two'))), [{ type: 'text', text: 'One two' }]);
  });

  it('is the same when a piece comes again, alone or in a longer one', () => {
    const state = stateOf(...open, text(0, 'One'), text(0, 'One'), text(0, 'One two'), text(3, ' two'));
    assert.deepEqual(replyOf(state), [{ type: 'text', text: 'One two' }]);
  });

  it('takes of a piece that overlaps what is new', () => {
    assert.deepEqual(replyOf(stateOf(...open, text(0, 'One'), text(2, 'e two'))), [{ type: 'text', text: 'One two' }]);
  });

  it('ends at a gap', () => {
    assert.deepEqual(replyOf(stateOf(...open, text(0, 'One'), text(9, 'three'))), [{ type: 'text', text: 'One' }]);
  });
});

describe('setting aside and bringing back', () => {
  const four = [...said(null, 'a', 'b', 'c', 'd')];

  it('a rewind leaves what stands up to its message', () => {
    assert.deepEqual(branchIds(stateOf(...four, rewound('w1', 'b'))), ['a', 'b']);
    assert.deepEqual(branchIds(stateOf(...four, rewound('w1', null))), []);
  });

  it('restored shows the branch that was left', () => {
    const state = stateOf(...four, rewound('w1', 'b'), ...said(null, 'e'), restored('w1', 'w2'));
    assert.deepEqual(branchIds(state), ['a', 'b', 'c', 'd']);
  });

  it('a return can be taken back, and that again', () => {
    const steps = [...four, rewound('w1', 'b'), ...said(null, 'e'), restored('w1', 'w2'), restored('w2', 'w3')];
    assert.deepEqual(branchIds(stateOf(...steps)), ['a', 'b', 'e']);
    assert.deepEqual(branchIds(stateOf(...steps, restored('w3', 'w4'))), ['a', 'b', 'c', 'd']);
  });

  it('what comes after a return does not change the branch that was left', () => {
    const steps = [...four, rewound('w1', 'b'), restored('w1', 'w2'), ...said(null, 'e')];
    const state = stateOf(...steps);
    assert.deepEqual(branchIds(state), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(branchIds(stateOf(...steps, restored('w1', 'w3'))), ['a', 'b', 'c', 'd']);
  });

  it('keeps the attempts of branches that were left', () => {
    const state = stateOf(...asked, attemptStarted('r', 'at'), attemptEnded('r', 'at', 'complete'), rewound('w1', null));
    assert.deepEqual([...state.attempts.keys()], ['at']);
    assert.deepEqual([...state.runs.keys()], ['r']);
  });
});

describe('a rewind to a message that another window has set aside meanwhile', () => {
  it('changes nothing, and nothing is wrong', () => {
    const state = stateOf(...said(null, 'a', 'b'), rewound('w1', null), rewound('w2', 'b'));
    assert.deepEqual(branchIds(state), []);
    assert.deepEqual(state.problems, []);
  });
});

describe('an event whose partner is missing', () => {
  const strays: readonly [NewEvent, RegExp][] = [
    [text(0, 'x'), /unknown attempt at/],
    [attemptEnded('r', 'at', 'complete'), /unknown attempt at/],
    [attemptStarted('r', 'at'), /unknown run r/],
    [toolStarted('r', 'c'), /unknown run r/],
    [{ type: 'run-committed', runId: 'r' }, /unknown run r/],
    [rewound('w1', 'nobody'), /unknown message nobody/],
    [restored('w1', 'w2'), /unknown branch w1/],
  ];

  for (const [stray, problem] of strays) {
    it(`${stray.type} is told and leaves the conversation as it is`, () => {
      const state = stateOf(...said(null, 'a'), stray);
      assert.equal(state.problems.length, 1);
      assert.match(state.problems[0]!, problem);
      assert.deepEqual(branchIds(state), ['a']);
    });
  }

  it('is none when it closes what is left of a run: the damaged line is told by itself', () => {
    const state = stateOf(...said('r', 'a'), { type: 'run-interrupted', runId: 'r' });
    assert.deepEqual([state.problems, branchIds(state)], [[], ['a']]);
  });

  it('is none in a whole log', () => {
    const whole = [...asked, attemptStarted('r', 'at'), text(0, 'x'), attemptEnded('r', 'at', 'complete'), ...said('r', 'a')];
    assert.deepEqual(stateOf(...whole, { type: 'run-committed', runId: 'r' }).problems, []);
  });
});

describe('the whole state', () => {
  it('can be compared: no two of these are equal', () => {
    const states = [stateOf(), stateOf(...asked), stateOf(...asked, rewound('w1', null)), stateOf(...said(null, 'u'))];
    assert.equal(new Set(states.map((state) => JSON.stringify(plainState(state)))).size, states.length);
  });
});
