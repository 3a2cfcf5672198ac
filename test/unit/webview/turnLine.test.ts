import assert from 'node:assert/strict';
import type { AssistantEntry, EntryView, OutputProgress } from '../../../src/protocol/panel/entries.js';
import type { TurnSteps } from '../../../src/protocol/panel/turnSteps.js';
import { ShownTurns, type ShownTurn } from '../../../webview/chat/conversation/shownTurns.js';
import { isShown, stepEntry } from '../../../webview/chat/entries/stepEntry.js';
import { priceSoFar, stepsInWords, turnLine, turnPrice } from '../../../webview/chat/entries/turnLine.js';
import { text, userEntry } from '../../../webview/preview/views.js';
import { ASSISTANT_ENTRY, entryScope, TOOL_CALL } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const STEPS: TurnSteps = {
  ...{ id: 'u', steps: 5, filesRead: 3, filesEdited: 1, filesUndone: 0, commands: 0, servers: [], failed: 0, refused: 0, stopped: 0 },
  ...{ cost: 0.0213, isAtLeast: false, isPretended: false, inherited: false },
};

const STEP = { ...ASSISTANT_ENTRY, id: 'a1', parts: [TOOL_CALL] };
const TURN: ShownTurn = { steps: STEPS, entries: [STEP], reply: null, now: null, asking: null, isOpen: false };

const WAITING = { ...TOOL_CALL, status: { kind: 'waiting', question: null } } as const;

function line(turn: Partial<ShownTurn>, output: OutputProgress | null): string {
  return words(turnLine({ ...TURN, ...turn }, { ...entryScope(), output }));
}

const output = (cost: number | null): OutputProgress => ({ entryId: 'r', tokens: 9, isEstimate: true, cost, isPretended: false });

describe('The line of the steps of a turn', () => {
  it('has what the tools did and the total of the turn, without zero counts', () => {
    assert.equal(line({}, null), '5 steps · 3 files read · 1 edited $0.0213');
    assert.equal(stepsInWords({ ...STEPS, steps: 1, filesRead: 0, filesEdited: 0 }), '1 step');
    assert.equal(stepsInWords({ ...STEPS, filesRead: 0, filesEdited: 2, filesUndone: 1 }), '5 steps · 2 files edited · 1 undone');
    assert.equal(
      stepsInWords({ ...STEPS, filesRead: 1, filesEdited: 0, commands: 2, servers: [{ name: 'g\u202Eit', calls: 1 }] }),
      '5 steps · 1 file read · 2 commands · 1 call to g[U+202E]it',
    );
  });

  it('names calls without a usual result', () => {
    assert.equal(
      line({ steps: { ...STEPS, failed: 1, refused: 2, stopped: 1 } }, null),
      '5 steps · 3 files read · 1 edited 1 failed 2 refused 1 stopped $0.0213',
    );
    assert.match(markup(turnLine({ ...TURN, steps: { ...STEPS, failed: 1 } }, entryScope())), /turn-failed[^>]*>1 failed/);
  });

  it('names a price that is unknown, a lower bound, an example, or of another chat', () => {
    assert.equal(turnPrice({ ...STEPS, cost: null }), 'price unknown');
    assert.equal(turnPrice({ ...STEPS, isAtLeast: true }), '≥ $0.0213');
    assert.equal(turnPrice({ ...STEPS, isPretended: true }), 'would cost $0.0213');
    assert.equal(turnPrice({ ...STEPS, inherited: true }), 'inherited');
  });

  it('has the step in progress and the price so far while the turn works', () => {
    const now = { step: 5, call: { name: 'edit_file', serverName: null, subject: 'src/heap.ts' } };
    assert.equal(line({ now }, null), 'Step 5 · editing src/heap.ts $0.0213 so far');
    assert.equal(line({ now: { step: 6, call: null } }, output(0.001)), 'Step 6 · writing ≈ $0.0223 so far');
    assert.equal(line({ now, steps: { ...STEPS, cost: null } }, null), 'Step 5 · editing src/heap.ts', 'no price while unknown');
    assert.equal(priceSoFar({ cost: null, isPretended: true }, output(0.001)), 'would cost ≈ $0.0010');
    assert.equal(priceSoFar(STEPS, output(null)), '$0.0213');
  });

  it('says so while a call waits for the user', () => {
    const now = { step: 5, call: { name: 'edit_file', serverName: null, subject: 'src/heap.ts' } };
    assert.equal(line({ now, asking: WAITING }, null), 'needs approval Step 5 $0.0213 so far');
    assert.match(markup(turnLine({ ...TURN, now, asking: WAITING }, entryScope())), /codicon-shield/);
  });
});

describe('A step of a turn', () => {
  const shown = (turn: Partial<ShownTurn>, entry: AssistantEntry, isOpen: boolean, ...open: readonly string[]): string =>
    words(stepEntry(entry, { ...TURN, entries: [STEP, entry], isOpen, ...turn }, { ...entryScope(...open), turn: TURN }));
  const later: AssistantEntry = { ...STEP, id: 'a2' };

  it('is hidden while the turn is closed, unless it has a text, an image, a remark or a question', () => {
    const isVisible = (change: Partial<AssistantEntry>, ...noted: readonly string[]): boolean =>
      isShown({ ...later, ...change }, TURN, new Set(noted));
    assert.equal(isVisible({}), false);
    assert.equal(isShown(later, { ...TURN, isOpen: true }, new Set()), true);
    assert.equal(isShown(later, null, new Set()), true, 'without a line');
    assert.equal(isVisible({ id: 'a1' }), true, 'the first step has the line');
    assert.equal(isVisible({ parts: [text('Now the heap.'), TOOL_CALL] }), true);
    assert.equal(isVisible({ parts: [text(' \n'), TOOL_CALL] }), false);
    assert.equal(isVisible({ parts: [WAITING] }), true);
    assert.equal(isVisible({ status: 'stopped' }), true);
    assert.equal(isVisible({ status: 'stopped' }, 'a2'), false, 'a note below says so');
    assert.equal(isVisible({ answeredBy: 'another-model' }), true);
    assert.equal(isVisible({ isPinned: true }), true);
    assert.equal(isVisible({ parts: [], status: 'streaming' }), false, 'the line says that the model writes');
    assert.equal(isVisible({ parts: [] }), true, 'an empty reply is named');
  });

  it('keeps its text and its end in sight while the turn is closed', () => {
    assert.match(
      markup(stepEntry({ ...later, parts: [text('Now the heap.'), TOOL_CALL] }, { ...TURN, entries: [STEP, later] }, entryScope())),
      /\.text=Now the heap\./,
    );
    assert.match(shown({}, { ...later, status: 'stopped' }, false), /^Stopped$/);
  });

  it('has a row for each call, and the figures of its request once a row is open', () => {
    assert.match(shown({}, { ...later, files: [] }, true), /^read\b/);
    assert.doesNotMatch(shown({}, later, true), /Context used/);
    assert.match(shown({}, later, true, 'tools-0-0'), /^read\b.*Arguments.*Context used/);
  });

  it('that is the last has the row of the reply, and offers what the user can do with the whole turn', () => {
    const usage = { inputTokens: 9, outputTokens: 212, cost: 0.0057, isAtLeast: false, isPretended: false };
    const more = { cachedTokens: 0, writtenTokens: 0, inputEstimated: false, outputEstimated: false, isCharged: false };
    const reply = { ...ASSISTANT_ENTRY, id: 'r', usage: { ...usage, ...more, durationMs: 1, forecast: null, inherited: false } };
    const file = { kind: 'written', path: 'a.ts', added: 1, removed: 0, state: 'applied', messageId: 'm', hasEarlier: true } as const;
    assert.match(shown({ reply }, { ...later, files: [file] }, true), /reply 212 tokens \$0\.0057 Show the change Undo all$/);
    assert.doesNotMatch(shown({ reply }, { ...later, files: [{ ...file, state: 'undone' }] }, true), /Undo all/);
    assert.doesNotMatch(shown({ now: { step: 2, call: null } }, { ...later, files: [file] }, true), /Undo all/, 'while the turn works');
  });
});

describe('The shown turns', () => {
  const entries = [userEntry('u', 'Go'), STEP, { ...ASSISTANT_ENTRY, id: 'r', parts: [text('Done.')] }];

  const all = { entries, turns: { a1: STEPS }, chat: { running: false }, disclosures: { isOpen: () => false } };

  it('are the same objects until something changes, so that long chats do not render again', () => {
    const turns = new ShownTurns();
    const first = turns.of(all).get('a1');
    assert.equal(turns.of({ ...all, entries: [...entries] }).get('r'), first);
    assert.equal(turns.turnOf('r'), first);
    assert.notEqual(turns.of({ ...all, turns: { a1: { ...STEPS, steps: 6 } } }).get('a1'), first);
    assert.equal(first?.reply?.id, 'r');
  });

  it('know what the turn is doing, also before the next request and with a queued message behind', () => {
    const queued: EntryView = { ...userEntry('q', 'Later'), status: 'queued' };
    const now = (...parts: readonly EntryView[]): unknown =>
      new ShownTurns().of({ ...all, entries: [userEntry('u', 'Go'), ...parts, queued], chat: { running: true } }).get('a1')?.now;
    assert.deepEqual(now(STEP), { step: 6, call: null });
    const running = { ...STEP, parts: [{ ...TOOL_CALL, subject: 'a.ts', status: { kind: 'running', progress: null } }] } as const;
    assert.deepEqual(now(running), { step: 5, call: { name: 'read_file', serverName: null, subject: 'a.ts' } });
    assert.equal(new ShownTurns().of(all).get('a1')?.now, null);
  });

  it('are opened by a question until the user closes them', () => {
    const isOpen = (entry: EntryView, ...open: readonly string[]): boolean | undefined =>
      new ShownTurns()
        .of({ ...all, entries: [userEntry('u', 'Go'), entry], disclosures: { isOpen: (name) => open.includes(name) } })
        .get('a1')?.isOpen;
    const asks = { ...STEP, parts: [WAITING] };
    assert.equal(isOpen(STEP), false);
    assert.equal(isOpen(STEP, 'u:steps'), true);
    assert.equal(isOpen(asks), true);
    assert.equal(isOpen(asks, 'u:steps-closed'), false);
  });
});
