import assert from 'node:assert/strict';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { OPEN_MODEL } from '../../support/engine/models.js';
import { shape, TieredChat, withTarget } from '../../support/engine/tieredChat.js';

const FILE = { 'a.ts': 'a' };
const TWO = { 'a.ts': 'a', 'b.ts': 'b' };

/** Exchanges in the form of `shape`. A star marks a breakpoint of the last one. */
function said(from: number, to: number, star: '' | '*'): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((at) => [
    `user: u${at}`,
    `assistant: a${at}${at === to ? star : ''}`,
  ]);
}

function pair(tier: string, files: string, star: '' | '*'): string[] {
  return [`user: files:header/${tier} ${files}`, `assistant: files:acknowledged/${tier}${star}`];
}

const WORKING = (files: string): string[] => [`user: files:header ${files}`, 'assistant: files:acknowledged'];

describe('the layout tiered', () => {
  it('begins with all active: files, conversation, message; only the system prompt is cached', () => {
    const chat = new TieredChat();
    assert.deepEqual(shape(chat.ask(FILE, {}).prompt), ['system: global*', ...WORKING('file:a.ts'), 'user: u1']);
    assert.deepEqual(shape(chat.repeat(2, FILE, {})), ['system: global*', ...WORKING('file:a.ts'), ...said(1, 2, ''), 'user: u3']);
  });

  it('moves a file to L3, out of the working files, when it has been the same for 3 requests', () => {
    const prompt = new TieredChat().repeat(4, FILE, {});
    assert.deepEqual(shape(prompt), ['system: global*', ...pair('L3', 'file:a.ts', '*'), ...said(1, 3, ''), 'user: u4']);
  });

  it('keeps under Working Files only the files that are active', () => {
    const chat = new TieredChat();
    chat.repeat(2, FILE, {});
    const prompt = chat.repeat(2, TWO, {});
    const expected = [...pair('L3', 'file:a.ts', '*'), ...WORKING('file:b.ts'), ...said(1, 3, ''), 'user: u4'];
    assert.deepEqual(shape(prompt), ['system: global*', ...expected]);
  });

  it('moves messages to L3 like files, behind the files of the tier, with the breakpoint on the last of them', () => {
    const prompt = new TieredChat().repeat(6, FILE, {});
    const expected = [...pair('L3', 'file:a.ts', ''), ...said(1, 2, '*'), ...said(3, 5, ''), 'user: u6'];
    assert.deepEqual(shape(prompt), ['system: global*', ...expected]);
  });

  it('promotes to L2 at 6: L2 before L3, each with one breakpoint', () => {
    const prompt = new TieredChat().repeat(7, FILE, {});
    const expected = [...pair('L2', 'file:a.ts', '*'), ...said(1, 3, '*'), ...said(4, 6, ''), 'user: u7'];
    assert.deepEqual(shape(prompt), ['system: global*', ...expected]);
  });

  it('promotes to L1 at 9, and lets what is below rise into the tier that this breaks', () => {
    const prompt = new TieredChat().repeat(10, FILE, {});
    const expected = [...pair('L1', 'file:a.ts', '*'), ...said(1, 3, '*'), ...said(4, 6, '*'), ...said(7, 9, ''), 'user: u10'];
    assert.deepEqual(shape(prompt), ['system: global*', ...expected]);
  });

  it('promotes to L0 at 12: into the system message, which has the breakpoint when L0 has no messages', () => {
    const prompt = new TieredChat().repeat(13, FILE, {});
    const expected = [...said(1, 3, '*'), ...said(4, 6, '*'), ...said(7, 9, '*'), ...said(10, 12, ''), 'user: u13'];
    assert.deepEqual(shape(prompt), ['system: global files:header/L0 file:a.ts*', ...expected]);
  });

  it('puts the breakpoint of L0 on its last message when it has some, and none on the system message', () => {
    const prompt = new TieredChat().repeat(14, {}, {});
    assert.deepEqual(shape(prompt).slice(0, 3), ['system: global', 'user: u1', 'assistant: a1*']);
    assert.equal(prompt.messages[0]?.blocks[0]?.tier, 'L0');
  });

  it('records the tier of each block, with a count of at least its entry', () => {
    const chat = new TieredChat();
    chat.repeat(12, FILE, {});
    const { attempt } = chat.ask(FILE, {});
    const { ordinal } = attempt.manifest;
    const entry = { L0: 12, L1: 9, L2: 6, L3: 3, active: 0 } as const;
    const files = chat.situation(0).last?.blocks.filter(({ item, role }) => item !== null || role === 'user') ?? [];
    const tiers = new Set(files.map(({ tier }) => tier));
    assert.deepEqual([...tiers].sort(), ['L0', 'L1', 'L2', 'L3', 'active']);
    for (const { key, tier, since } of files.filter(({ key: name }) => !name.startsWith('files:'))) {
      assert.ok(ordinal - since >= entry[tier], `${key} in ${tier} at ${String(ordinal - since)}`);
    }
  });

  it('returns a file that has changed to the working files at 0, and promotes it anew', () => {
    const chat = new TieredChat();
    chat.repeat(13, FILE, {});
    const changed = { 'a.ts': 'b' };
    const [system, ...rest] = shape(chat.ask(changed, {}).prompt);
    assert.equal(system, 'system: global');
    assert.ok(rest.includes('user: files:header file:a.ts'));
    assert.ok(shape(chat.repeat(2, changed, {})).includes('user: files:header file:a.ts'), 'unchanged for 1 and 2 requests');
    assert.ok(shape(chat.ask(changed, {}).prompt).includes('user: files:header/L3 file:a.ts'), 'for 3');
  });

  it('lets what is below rise when a file breaks its tier by a change', () => {
    const chat = new TieredChat();
    chat.repeat(10, TWO, {});
    const prompt = chat.ask({ ...TWO, 'b.ts': 'changed' }, {}).prompt;
    const cached = [...pair('L1', 'file:a.ts', ''), ...said(1, 1, '*'), ...said(2, 4, '*'), ...said(5, 7, '*')];
    assert.deepEqual(shape(prompt), ['system: global*', ...cached, ...WORKING('file:b.ts'), ...said(8, 10, ''), 'user: u11']);
  });

  it('lets what is below rise when a file is removed', () => {
    const chat = new TieredChat();
    chat.repeat(10, TWO, {});
    const cached = [...pair('L1', 'file:a.ts', ''), ...said(1, 1, '*'), ...said(2, 4, '*'), ...said(5, 7, '*')];
    assert.deepEqual(shape(chat.ask(FILE, {}).prompt), ['system: global*', ...cached, ...said(8, 10, ''), 'user: u11']);
  });

  it('lets what is below rise into L0 when the system prompt has changed', () => {
    const chat = new TieredChat();
    chat.repeat(16, FILE, {});
    assert.deepEqual(shape(chat.ask(FILE, {}).prompt)[0], 'system: global files:header/L0 file:a.ts*', 'a stable L0 takes nothing');
    const [system, first] = shape(chat.ask(FILE, { systemPrompt: 'Be brief.' }).prompt);
    assert.deepEqual([system, first], ['system: global agent files:header/L0 file:a.ts', 'user: u1']);
  });

  it('orders the files of a tier by the requests for which they have been the same', () => {
    const chat = new TieredChat();
    chat.ask({ 'z.ts': 'z' }, {});
    const prompt = chat.repeat(4, { 'a.ts': 'a', 'z.ts': 'z' }, {});
    assert.equal(shape(prompt)[1], 'user: files:header/L3 file:z.ts file:a.ts');
  });

  it('produces nothing for empty tiers', () => {
    const prompt = new TieredChat().repeat(7, FILE, {});
    const keys = promptBlocks(prompt).map(({ key }) => key);
    assert.ok(!keys.some((key) => /files:.*L[013]/.test(key)), keys.join(' '));
  });

  it('keeps the tiers of files and messages under one header, so that a whole tier that rises is the same bytes', () => {
    const texts = (tier: string, requests: number): unknown[] => {
      const { messages } = new TieredChat().repeat(requests, FILE, {});
      assert.equal(messages[0]?.blocks[0]?.key, `files:header/${tier}`);
      return messages.slice(0, 2).flatMap(({ blocks }) => blocks.map(({ part }) => part));
    };
    assert.deepEqual(texts('L2', 7), texts('L3', 4));
  });
});

describe('cacheTargetTokens in the layout tiered', () => {
  const large = { 'a.ts': 'a'.repeat(1_500), 'b.ts': 'b'.repeat(1_500) };

  it('keeps so many tokens in a tier from which others rise', () => {
    const prompt = new TieredChat().repeat(7, large, withTarget(1_024));
    const expected = [...pair('L2', 'file:a.ts', '*'), ...pair('L3', 'file:b.ts', ''), ...said(1, 3, '*'), ...said(4, 6, ''), 'user: u7'];
    assert.deepEqual(shape(prompt), ['system: global*', ...expected]);
  });

  it('is the provider’s minimum where the chat does not set it', () => {
    const minimum = OPEN_MODEL.capabilities.cache;
    assert.ok(minimum.kind === 'marks' && minimum.minimumTokens === 100);
    const at = (length: number): string | undefined =>
      shape(new TieredChat().repeat(7, { 'a.ts': `${'a'.repeat(length)}\n` }, { ...withTarget(null), model: OPEN_MODEL }))[1];
    assert.equal(at(10), 'user: files:header/L2 file:a.ts');
    assert.equal(at(100), 'user: files:header/L3 file:a.ts', 'it is needed to keep 100');
  });

  it('is nothing for a provider that does not cache', () => {
    const model = { ...OPEN_MODEL, capabilities: { ...OPEN_MODEL.capabilities, cache: { kind: 'none' } as const } };
    const prompt = new TieredChat().repeat(7, large, { ...withTarget(null), model });
    assert.equal(shape(prompt)[1], 'user: files:header/L2 file:a.ts file:b.ts');
  });
});
