import assert from 'node:assert/strict';
import { contextWindow, contextWindowTokens, windowAfterReply, windowAfterSummary } from '../../../src/engine/accounting/contextWindow.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import type { Message } from '../../../src/engine/chat/message/message.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ManifestBlock } from '../../../src/engine/record/manifest.js';
import { manifestBlocksOf } from '../../../src/engine/request/rebuild.js';
import {
  attemptEnded,
  attemptStarted,
  EMPTY_MANIFEST,
  errorRecord,
  logged,
  runStarted,
  stateOf,
  usage,
} from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';
import { conversationRecord } from '../../support/engine/measuredLog.js';
import { committed, replied } from '../../support/engine/replied.js';

const FIGURES = ['promptTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens', 'completionTokens'] as const;

describe('the context window after each message', () => {
  const two = [...replied(1, usage(1, 2, 3, 4), null), committed(1), ...replied(2, usage(10, 20, 30, 40), null), committed(2)];

  it('is the four figures of its own request after a reply, whatever came later', () => {
    const state = stateOf(...two);
    assert.deepEqual(windowAfterReply('at1', state), { kind: 'reply', attemptId: 'at1', tokens: 10, usage: usage(1, 2, 3, 4) });
    assert.equal(windowAfterReply('at2', state)?.tokens, 100);
  });

  it('is that of each round of a tool loop', () => {
    const more = [
      attemptStarted('r1', 'at2'),
      { ...attemptEnded('r1', 'at2', 'complete'), usage: usage(7, 0, 0, 1) },
      logged('r1', { ...assistant('a2', 'B'), attemptId: 'at2' }),
      committed(1),
    ];
    const state = stateOf(...replied(1, usage(1, 2, 3, 4), null), ...more);
    assert.deepEqual([windowAfterReply('at1', state)?.tokens, windowAfterReply('at2', state)?.tokens], [10, 8]);
  });

  it('is unknown, not 0, after a reply that did not tell', () => {
    assert.deepEqual(windowAfterReply('at1', stateOf(...replied(1, null, null))), {
      kind: 'reply',
      attemptId: 'at1',
      tokens: null,
      usage: null,
    });
  });

  it('is unchanged by a reply that no later request holds, one that broke off, and one that was set aside', () => {
    const rolledBack: NewEvent = { type: 'run-rolled-back', runId: 'r1', error: errorRecord('Broke.') };
    assert.equal(windowAfterReply('at1', stateOf(...replied(1, usage(1, 2, 3, 4), null), rolledBack)), null);
    assert.equal(windowAfterReply('at9', stateOf(runStarted('r9', 'u'), attemptStarted('r9', 'at9'))), null);
    const rewound: NewEvent = { type: 'rewound', rewindId: 'w', to: 'a1', reason: 'edited' };
    const state = stateOf(...two, rewound);
    assert.deepEqual([windowAfterReply('at1', state)?.tokens, windowAfterReply('at2', state)], [10, null]);
  });
});

describe('the context window after a summary', () => {
  const block = conversationRecord;

  function asked(n: number, used: Usage, blocks: readonly ManifestBlock[]): NewEvent[] {
    const events = replied(n, used, null).map((event) =>
      event.type === 'attempt-started' ? { ...event, manifest: { ...EMPTY_MANIFEST, blocks: [{ put: blocks }] } } : event,
    );
    return [...events, committed(n)];
  }

  const SAID = [block('message:u1/0', 5), block('message:a1/0', 6), block('message:u2/0', 7)];
  const CHAT = [...asked(1, usage(10, 0, 0, 1), SAID.slice(0, 1)), ...asked(2, usage(10, 20, 30, 40), SAID)];

  function summarized(n: number, from: string, to: string): NewEvent[] {
    const [runId, attemptId, text] = [`h${n}`, `hat${n}`, 'In short.'];
    const form = { policy: 'manual', case: 'summarize', tokens: { before: 50, after: 12 }, lines: [] } as const;
    return [
      { type: 'run-started', runId, cause: 'summary', userMessageId: null },
      { ...attemptStarted(runId, attemptId), purpose: 'summary' },
      { type: 'attempt-progress', runId, attemptId, pieces: [{ type: 'text', index: 0, offset: 0, text }] },
      { ...attemptEnded(runId, attemptId, 'complete'), usage: usage(100, 0, 0, 9) },
      logged(runId, { role: 'system-summary', id: `q${n}`, text: 'Summarize.' }),
      logged(runId, { role: 'summary', id: `s${n}`, text }),
      { type: 'compacted', runId, compaction: { id: `c${n}`, from, to, summaryId: `s${n}`, ...form } },
      { type: 'run-committed', runId },
    ];
  }

  it('is what the summary came as, where it stands for everything', () => {
    const state = stateOf(...CHAT, ...summarized(1, 'u1', 'a2'));
    const expected = { kind: 'summary', summary: 9, kept: 0, tokens: 9 };
    assert.deepEqual([contextWindow(state, manifestBlocksOf), windowAfterSummary('s1', state, manifestBlocksOf)], [expected, expected]);
  });

  it('has what is behind it besides: what the latest request held of that, and its reply', () => {
    const state = stateOf(...CHAT, ...summarized(1, 'u1', 'a1'));
    assert.deepEqual(contextWindow(state, manifestBlocksOf), { kind: 'summary', summary: 9, kept: 7 + 40, tokens: 56 });
  });

  it('has the pinned messages besides, the latest reply among them', () => {
    const pinned = (messageId: string): NewEvent => ({ type: 'pinned', messageId });
    assert.equal(contextWindowTokens(stateOf(...CHAT, pinned('u1'), ...summarized(1, 'u1', 'a2'))), 9 + 5);
    assert.equal(contextWindowTokens(stateOf(...CHAT, pinned('a2'), ...summarized(1, 'u1', 'a2'))), 9 + 40);
    assert.equal(contextWindowTokens(stateOf(...CHAT, pinned('u1'), ...summarized(1, 'u1', 'a1'))), 9 + 5 + 7 + 40);
  });

  it('is unknown, not 0, when the output of a reply that stays is unknown', () => {
    const silent = asked(2, { ...usage(1, 2, 3, 4), completionTokens: null }, SAID);
    const state = stateOf(...CHAT.slice(0, 6), ...silent, ...summarized(1, 'u1', 'a1'));
    assert.deepEqual(contextWindow(state, manifestBlocksOf), { kind: 'summary', summary: 9, kept: null, tokens: null });
  });

  it('is the size of its text, when that is not what the model answered', () => {
    const edited: NewEvent = logged(null, { role: 'summary', id: 's1', text: 'Edited.' });
    assert.equal(contextWindowTokens(stateOf(...CHAT, ...summarized(1, 'u1', 'a2'), edited)), 12);
  });

  it('stays what it was when replies have come since, as the first request that held it counted', () => {
    const held = [block('summary:c1', 11), block('message:u2/0', 7), block('message:a2/0', 39), block('message:u3/0', 100)];
    const state = stateOf(...CHAT, ...summarized(1, 'u1', 'a1'), ...asked(3, usage(200, 0, 0, 8), held));
    assert.deepEqual(windowAfterSummary('s1', state, manifestBlocksOf), { kind: 'summary', summary: 9, kept: 7 + 39, tokens: 55 });
    assert.equal(contextWindowTokens(state), 208);
    const again = stateOf(...CHAT, ...summarized(1, 'u1', 'a1'), ...asked(3, usage(200, 0, 0, 8), held), ...summarized(2, 'u2', 'a3'));
    assert.equal(windowAfterSummary('s1', again, manifestBlocksOf)?.tokens, 55);
    assert.equal(windowAfterSummary('s2', again, manifestBlocksOf)?.tokens, 9);
  });

  it('has all messages of the latest request besides, where an earlier summary stood for all that is replaced', () => {
    const held = [block('summary:c1', 11), block('message:u2/0', 7), block('message:a2/0', 39), block('message:u3/0', 100)];
    const undone: NewEvent = { type: 'compaction-undone', compactionId: 'c1' };
    const summaries = [...summarized(1, 'u1', 'a1'), ...asked(3, usage(200, 0, 0, 8), held), undone, ...summarized(2, 'u1', 'a1')];
    assert.equal(contextWindowTokens(stateOf(...CHAT, ...summaries)), 9 + 7 + 39 + 100 + 8);
  });

  it('is none of a summary that is undone, or that another one replaced before it was sent', () => {
    const undone: NewEvent = { type: 'compaction-undone', compactionId: 'c1' };
    const back = stateOf(...CHAT, ...summarized(1, 'u1', 'a1'), undone);
    assert.deepEqual([windowAfterSummary('s1', back, manifestBlocksOf), contextWindowTokens(back)], [null, 100]);
    const replaced = stateOf(...CHAT, ...summarized(1, 'u1', 'a1'), ...summarized(2, 'u2', 'a2'));
    assert.deepEqual(
      [windowAfterSummary('s1', replaced, manifestBlocksOf), windowAfterSummary('s2', replaced, manifestBlocksOf)?.tokens],
      [null, 9],
    );
    assert.equal(windowAfterSummary('nothing', back, manifestBlocksOf), null);
  });
});

describe('the context window', () => {
  it('is unknown before the first reply', () => {
    assert.equal(contextWindowTokens(stateOf()), null);
    assert.equal(contextWindowTokens(stateOf(logged(null, user('u', 'Q')))), null);
  });

  it('is the input and the output of the latest reply, not a sum over replies', () => {
    const state = stateOf(...replied(1, usage(1, 2, 3, 4), null), committed(1), ...replied(2, usage(10, 20, 30, 40), null), committed(2));
    assert.equal(contextWindowTokens(state), 100);
  });

  it('is that of the last request of a tool loop', () => {
    const more = [
      attemptStarted('r1', 'at2'),
      { ...attemptEnded('r1', 'at2', 'complete'), usage: usage(7, 0, 0, 1) },
      logged('r1', { ...assistant('a2', 'B'), attemptId: 'at2' }),
    ];
    assert.equal(contextWindowTokens(stateOf(...replied(1, usage(1, 2, 3, 4), null), ...more)), 8);
  });

  it('is unknown, not 0, when the latest reply did not tell', () => {
    assert.equal(contextWindowTokens(stateOf(...replied(1, usage(1, 2, 3, 4), null), ...replied(2, null, null))), null);
    for (const figure of FIGURES) {
      assert.equal(contextWindowTokens(stateOf(...replied(1, { ...usage(1, 2, 3, 4), [figure]: null }, null))), null);
    }
  });

  it('is unchanged by titles and by attempts that failed', () => {
    const title = [
      { ...attemptStarted('r1', 't'), purpose: 'title' } as const,
      { ...attemptEnded('r1', 't', 'complete'), usage: usage(99, 0, 0, 9) },
    ];
    const failed = [attemptStarted('r1', 'f'), { ...attemptEnded('r1', 'f', 'failed'), usage: usage(99, 0, 0, 9) }];
    assert.equal(contextWindowTokens(stateOf(...replied(1, usage(1, 2, 3, 4), null), ...title, ...failed)), 10);
  });

  it('is unchanged by every message that is never sent', () => {
    const totals = { promptTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, completionTokens: 0 };
    const spent = { ...totals, attempts: 0, unknownAttempts: 0, cost: null };
    const notes: readonly Message[] = [
      { role: 'system-title', id: 'n1', text: 'Name it.' },
      { role: 'title', id: 'n2', text: 'Tides' },
      { role: 'system-summary', id: 'n3', text: 'Summarize.' },
      { role: 'accounting', id: 'n4', reason: 'edited', discardedMessages: 5, totals: spent, rewindId: 'w' },
      user('n5', 'Not answered yet'),
    ];
    for (const note of notes) {
      assert.equal(contextWindowTokens(stateOf(...replied(1, usage(1, 2, 3, 4), null), committed(1), logged(null, note))), 10, note.role);
    }
  });

  it('is unchanged by a reply that was rolled back: it is not sent again', () => {
    const rolledBack: NewEvent = { type: 'run-rolled-back', runId: 'r2', error: errorRecord('Broke.') };
    const state = stateOf(...replied(1, usage(1, 2, 3, 4), null), committed(1), ...replied(2, usage(10, 20, 30, 40), null), rolledBack);
    assert.equal(contextWindowTokens(state), 10);
  });

  it('is that of the reply before, after a rewind', () => {
    const rewound: NewEvent = { type: 'rewound', rewindId: 'w', to: 'a1', reason: 'edited' };
    const state = stateOf(
      ...replied(1, usage(1, 2, 3, 4), null),
      committed(1),
      ...replied(2, usage(10, 20, 30, 40), null),
      committed(2),
      rewound,
    );
    assert.equal(contextWindowTokens(state), 10);
  });
});
