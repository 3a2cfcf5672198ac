import assert from 'node:assert/strict';
import { inputTokens } from '../../../src/engine/model/usage.js';
import type { Model } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { contextRows, contextUsed } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { contextChips, nextRequestRows, nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

/** Its estimate is far too high. The provider's report corrects it. */
const ESTIMATED: Model = {
  ...PRACTICE_STANDARD,
  capabilities: {
    ...PRACTICE_STANDARD.capabilities,
    counterIsExact: false,
    framing: { ...PRACTICE_STANDARD.capabilities.framing, perRequest: 103 },
  },
};

interface Shown {
  readonly chip: number | null | undefined;
  readonly row: number | undefined;
  readonly total: number;
  readonly parts: number;
}

async function shown(session: ChatSession): Promise<Shown> {
  const composed = await session.preview({ text: 'Hello', editing: null });
  const { blocks } = nextRequestRows(composed);
  const { totalTokens, shares } = nextRequestView(composed, blocks, session.state);
  return {
    chip: contextChips(composed, session.state)[0]?.tokens,
    row: blocks.find(({ label }) => label === 'a.ts')?.tokens,
    total: totalTokens,
    parts: shares.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

describe('the parts of a request', () => {
  const windows = useWindows();

  async function open(): Promise<ChatSession> {
    const files = new MemoryFiles();
    files.texts.set('a.ts', 'export const tide = 1;\n'.repeat(20));
    const session = await windows.open({ files, models: [ESTIMATED] }).chats.create();
    await session.addContext({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
    return session;
  }

  it('keep their tokens when the provider corrects the size of the whole', async () => {
    const session = await open();
    const first = await shown(session);
    assert.deepEqual([first.total, first.row], [first.parts, first.chip]);
    await session.conversation.send('/long 2');
    const second = await shown(session);
    assert.deepEqual([second.chip, second.row], [first.chip, first.row]);
    assert.ok(second.total < second.parts, 'The size is corrected.');
  });

  it('of a past request stand beside what the provider reported of it', async () => {
    const session = await open();
    await session.conversation.send('/long 2');
    const attempt = lastAttempt(session.state);
    const used = contextUsed(attempt, session.state);
    const usage = attempt.end?.usage;
    assert.ok(usage);
    assert.deepEqual([used?.totalTokens, used?.basis], [inputTokens(usage), 'providerCount']);
    const rows = contextRows(attempt, session.state);
    const parts = rows?.blocks.reduce((sum, { tokens }) => sum + tokens, rows.framingTokens);
    assert.equal(parts, attempt.manifest.size.counted);
    // Until the report the size is the estimate.
    const running = contextUsed({ ...attempt, end: null }, session.state);
    assert.deepEqual([running?.totalTokens, running?.basis], [attempt.manifest.size.tokens, 'estimate']);
  });
});
