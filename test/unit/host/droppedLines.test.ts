import assert from 'node:assert/strict';
import { contextRecordsOf } from '../../../src/engine/request/rebuild.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { Model } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextDocument } from '../../../src/host/documents/requestContent.js';
import { contextRows, contextUsed, nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { contextChips } from '../../../src/host/panel/composer/contextChips.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import { PRACTICE_SMALL, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { SteppedClock, until } from '../../support/host/clocks.js';
import { lastAttempt, lastReply, messages } from '../../support/host/reading.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';
import { inputTokens } from '../../../src/engine/model/usage.js';

const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const HELLO = { text: 'Hello', editing: null, messageId: 'draft' };
/** About four tokens per line. */
const code = (lines: number): string => Array.from({ length: lines }, (_, line) => `call(${String(line)});\n`).join('');

function held({ prompt }: Pick<ComposedRequest, 'prompt'>, name: string): string | null {
  const part = promptBlocks(prompt).find(({ key }) => key === `file:${name}`)?.part;
  return part?.type === 'text' ? part.text : null;
}

describe('files that have no room in a request', () => {
  const windows = useWindows();

  async function chatWith(texts: Readonly<Record<string, string>>, config: Partial<ChatConfig>, models: readonly Model[]) {
    const files = new MemoryFiles();
    const { window, session } = await windows.openChat({ files, models, config: { compaction: 'off', ...config } });
    for (const [name, text] of Object.entries(texts)) {
      files.texts.set(name, text);
      await session.context.add(file(name));
    }
    return { window, files, session };
  }

  const STANDARD = [PRACTICE_STANDARD];

  it('are cut with marks, and the request is within its budget, sent as previewed and rebuilt to the byte', async () => {
    const { window, session } = await chatWith({ 'large.ts': code(2_000), 'small.ts': code(10) }, { maxPromptTokens: 3_512 }, STANDARD);
    const composed = await session.next.preview(HELLO);
    assert.ok(composed.excess === null && composed.size.tokens <= 3_000 && composed.size.tokens > 2_000, String(composed.size.tokens));
    const shown = held(composed, 'large.ts') ?? '';
    const [, lines = ''] = /^large\.ts\n\[BEGIN large\.ts: the first (\d+) of 2000 lines\]\n```ts\ncall\(0\);\n/.exec(shown) ?? [];
    assert.ok(
      shown.endsWith(
        `\ncall(${String(Number(lines) - 1)});\n\`\`\`\n[END large.ts: the other ${String(2_000 - Number(lines))} lines do not fit into this request]`,
      ),
    );
    assert.equal(held(composed, 'small.ts'), `small.ts\n\`\`\`ts\n${code(10)}\`\`\``);
    await session.conversation.send('Hello');
    assert.equal(window.model.bodies[0], composed.wire().body);
    const { rebuilt } = await session.records.request(lastReply(session.state).id);
    assert.deepEqual([rebuilt.body, rebuilt.note], [window.model.bodies[0], null]);
    // They are dropped from this request only.
    assert.deepEqual([...session.state.context.keys()], ['file:large.ts', 'file:small.ts']);
  });

  it('stay as they are in the requests that follow, also when the chat is loaded, until they do not fit any more', async () => {
    const { window, files, session } = await chatWith(
      { 'large.ts': code(2_000), 'minified.js': 'x;'.repeat(9_000) },
      { maxPromptTokens: 3_512 },
      STANDARD,
    );
    await session.conversation.send('/long 20');
    const first = held((await session.records.request(lastReply(session.state).id)).rebuilt, 'large.ts');
    assert.match(first ?? '', /BEGIN/);
    for (const text of ['/long 30', '/long 100', '/long 100']) {
      await session.conversation.send(text);
      const { rebuilt } = await session.records.request(lastReply(session.state).id);
      assert.equal(held(rebuilt, 'large.ts'), first);
      assert.equal(held(rebuilt, 'minified.js'), null);
    }
    const other = windows.open({ writerId: 'other', files, models: STANDARD });
    const reopened = await other.chats.open(session.id);
    assert.equal((await reopened.next.preview(HELLO)).wire().body, (await session.next.preview(HELLO)).wire().body);
    assert.equal(held(await reopened.next.preview(HELLO), 'large.ts'), first);
    await session.conversation.send('The tide comes in. '.repeat(320));
    const later = await session.next.preview(HELLO);
    assert.notEqual(held(later, 'large.ts'), first);
    assert.ok(later.size.tokens <= 3_000);
    assert.deepEqual(window.errors, []);
  });

  it('come back whole when there is room for all, and are cut anew when they change or twice as much has room', async () => {
    const { files, session } = await chatWith({ 'large.ts': code(2_000) }, { maxPromptTokens: 3_512 }, STANDARD);
    await session.conversation.send('/long 20');
    const first = held(await session.next.preview(HELLO), 'large.ts') ?? '';
    await session.changeConfig({ maxPromptTokens: 4_000 });
    assert.equal(held(await session.next.preview(HELLO), 'large.ts'), first);
    await session.changeConfig({ maxPromptTokens: 7_000 });
    assert.ok((held(await session.next.preview(HELLO), 'large.ts') ?? '').length > 2 * first.length);
    await session.changeConfig({ maxPromptTokens: null });
    assert.equal(held(await session.next.preview(HELLO), 'large.ts'), `large.ts\n\`\`\`ts\n${code(2_000)}\`\`\``);
    await session.changeConfig({ maxPromptTokens: 3_512 });
    files.texts.set('large.ts', `// changed\n${code(2_000)}`);
    assert.match(held(await session.next.preview(HELLO), 'large.ts') ?? '', /\n\/\/ changed\ncall\(0\);/);
  });

  it('are told by the next request, the chips and "Context used", and by the record', async () => {
    const { session } = await chatWith(
      { 'large.ts': code(2_000), 'minified.js': 'x;'.repeat(9_000), 'small.ts': code(10) },
      { maxPromptTokens: 3_512 },
      STANDARD,
    );
    const composed = await session.next.preview(HELLO);
    const { warnings, problem } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
    assert.equal(problem, null);
    const [cut = '', out = '', ...none] = warnings;
    assert.match(cut, /^Loupe cut large\.ts to fit: [\d,]+ of its 9,007 tokens remain\.$/);
    assert.match(out, /^Loupe dropped minified\.js: the request has no room for its [\d,]+ tokens\.$/);
    assert.deepEqual(none, []);
    assert.deepEqual(
      contextChips(composed, session.state).map(({ name, tokens, warning }) => [name, tokens === null, warning?.kind, warning?.text]),
      [
        ['large.ts', false, 'cut', cut],
        ['minified.js', true, 'refused', out],
        ['small.ts', false, undefined, undefined],
      ],
    );
    const page = nextDocument(composed, { isEmpty: false, isReplying: false });
    assert.ok(page.includes(cut) && page.includes(out) && page.includes('[BEGIN large.ts: the first '));
    await session.conversation.send('Hello');
    const attempt = lastAttempt(session.state);
    const records = contextRecordsOf(attempt, session.state.attempts) ?? [];
    assert.deepEqual(
      records.map(({ item, leftOut, cut: recorded }) => [item.name, leftOut?.code, recorded?.ofLines]),
      [
        ['large.ts', undefined, 2_000],
        ['minified.js', 'noRoom', undefined],
        ['small.ts', undefined, undefined],
      ],
    );
    assert.equal(contextUsed(attempt, session.state)?.summary, '2 files, added by you, 1 file cut to fit, 1 item dropped: no room');
    const rows = contextRows(attempt, session.state)!;
    assert.deepEqual(rows.warnings, warnings);
    const [group] = rows.groups;
    assert.deepEqual(
      group?.items.map(({ name, notSelectedReason, ofTokens }) => [name, notSelectedReason, ofTokens !== null]),
      [
        ['large.ts', null, true],
        ['small.ts', null, false],
        ['minified.js', 'no room', false],
      ],
    );
    // Then the chips show no change for a file that was only cut.
    const after = contextChips(await session.next.preview(HELLO), session.state);
    const kinds = after.map(({ warning }) => warning?.kind);
    assert.deepEqual(kinds, ['cut', 'refused', undefined]);
  });

  it('are named up to three, and the others counted', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `m${String(index)}.js`);
    const texts = Object.fromEntries(names.map((name) => [name, 'x;'.repeat(9_000)]));
    const { session } = await chatWith(texts, { maxPromptTokens: 3_512 }, STANDARD);
    const composed = await session.next.preview(HELLO);
    const { warnings } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
    assert.equal(warnings.length, 4);
    assert.equal(warnings[3], 'Loupe cut or dropped 3 more files.');
  });

  it('are cut before the conversation is shortened, and the conversation only when it does not fit without them', async () => {
    const house = await scriptedHouse('openai-compatible', {});
    const files = new MemoryFiles();
    const { session } = await windows.openChat({ files, sources: [house.source], config: { model: house.large, maxPromptTokens: 3_512 } });
    files.texts.set('large.ts', code(2_000));
    for (const exchange of [1, 2, 3]) {
      house.replies.push([{ text: `Answer ${String(exchange)}. ${'The tide comes in. '.repeat(60)}` }]);
      await session.conversation.send(`Question ${String(exchange)}`);
    }
    await session.compactor.settled();
    await session.context.add(file('large.ts'));
    const before = house.bodies.length;
    house.replies.push([{ text: 'Read.' }]);
    await session.conversation.send('Question 4');
    assert.equal(house.bodies.length, before + 1);
    const body = house.bodies.at(-1) ?? '';
    assert.ok(body.includes('[BEGIN large.ts') && body.includes('Question 1') && body.includes('Answer 3'));
    assert.equal(session.state.compactions.size, 0);
    await session.compactor.settled();
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.conversation.send('The tide comes in. '.repeat(450));
    assert.equal(session.state.compactions.size, 1);
    assert.ok(!(house.bodies.at(-1) ?? '').includes('Answer 1'));
    assert.ok(messages(session.state).some(({ role }) => role === 'summary'));
  });

  describe('by an estimate', () => {
    const ESTIMATED: Model = {
      ...PRACTICE_SMALL,
      capabilities: { ...PRACTICE_SMALL.capabilities, counterIsExact: false, countsTokens: true },
    };
    const EXACT = PRACTICE_SMALL;
    /** Its files have between 90 % of the model's limit of 8,192 and the budget. */
    const NEARLY = { 'large.ts': code(1_780) };

    it('leave more free than by an exact count: a provider refuses what is over its limit', async () => {
      const small = { model: EXACT.ref, reservedResponseTokens: 0 };
      const exact = await (await chatWith(NEARLY, small, [EXACT])).session.next.preview(HELLO);
      assert.ok(exact.size.tokens > 8_192 * 0.9 && exact.size.tokens <= 8_192, String(exact.size.tokens));
      assert.equal(exact.cuts.size, 0);
      const estimate = await (await chatWith(NEARLY, small, [ESTIMATED])).session.next.preview(HELLO);
      assert.ok(estimate.size.tokens <= 8_192 * 0.9 && estimate.cuts.size === 1, String(estimate.size.tokens));
    });

    it('are whole again once the provider has counted that they fit', async () => {
      const clock = new SteppedClock();
      const files = new MemoryFiles();
      files.texts.set('large.ts', NEARLY['large.ts']);
      const config = { compaction: 'off', model: ESTIMATED.ref, reservedResponseTokens: 0 } as const;
      const { window, session } = await windows.openChat({ clock, files, models: [ESTIMATED], config });
      await session.context.add(file('large.ts'));
      window.model.onCount = () => Promise.resolve(8_000);
      let changes = 0;
      session.onChange(() => {
        changes += 1;
      });
      assert.equal((await session.next.preview(HELLO)).cuts.size, 1);
      clock.step();
      await until(() => changes > 0, 'the count has come');
      const { cuts, size } = await session.next.preview(HELLO);
      assert.deepEqual([cuts.size, size.tokens, size.basis], [0, 8_000, 'providerCount']);
      assert.match(window.model.counted[0] ?? '', /call\(1779\);/);
    });
  });
});

/** Its estimate is far too high. The provider's report corrects it. */
const ESTIMATED: Model = {
  ...PRACTICE_STANDARD,
  capabilities: {
    ...PRACTICE_STANDARD.capabilities,
    counterIsExact: false,
    framing: { ...PRACTICE_STANDARD.capabilities.framing, perRequest: 103 },
  },
};

async function shown(session: ChatSession) {
  const composed = await session.next.preview({ text: 'Hello', editing: null });
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
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
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
