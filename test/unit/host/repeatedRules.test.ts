import assert from 'node:assert/strict';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { ContextRemovals, type ChangeInclude } from '../../../src/host/panel/composer/contextRemovals.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { useWindows } from '../../support/host/window.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `- Rule number ${String(from + at)} says what the part of the program does.`).join('\n');
const TESTS = `## Tests\n\n${'Write a test for each change, in the lowest suite that can fail. '.repeat(5).trim()}`;

describe('rules that repeat other rules', () => {
  const windows = useWindows();

  const viewOf = async (session: ChatSession): Promise<NextRequestView['repeatedRules']> => {
    const composed = await session.next.preview({ text: 'Hello', editing: null });
    return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).repeatedRules;
  };

  it('are sent with a pointer in place of a section of another rule, in each request the same, and are counted', async () => {
    const { window, session } = await chatAmongFiles(
      windows,
      {
        'AGENTS.md': `# Project\n\n${TESTS}\n\n## Style\n\nTabs.`,
        'CLAUDE.md': `# Claude\n\nHello.\n\n${TESTS}`,
        'src/AGENTS.md': TESTS,
        'src/a.ts': 'let a;',
      },
      {},
    );
    assert.deepEqual(await viewOf(session), { sections: 1, rules: [], agent: null });
    const claude = (): string => {
      const { system } = JSON.parse(window.model.bodies.at(-1) ?? '') as { readonly system: readonly { readonly text: string }[] };
      return system.find(({ text }) => text.trim().startsWith('# Rules: CLAUDE.md'))?.text.trim() ?? '';
    };
    await session.conversation.send('Hello');
    const sent = '# Rules: CLAUDE.md\n\n# Claude\n\nHello.\n\n## Tests\n\n(Same as the section "Tests" of AGENTS.md.)';
    assert.equal(claude(), sent);
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    assert.equal((await viewOf(session)).sections, 2, 'the rule of the folder has a pointer, too');
    await session.conversation.send('Again');
    assert.equal(claude(), sent);
    assert.ok((window.model.bodies.at(-1) ?? '').includes('# Rules: src/AGENTS.md\\n\\n## Tests\\n\\n(Same as'));
    await session.context.remove({ type: 'rule', name: 'AGENTS.md' });
    const composed = await session.next.preview({ text: 'Hello', editing: null });
    assert.ok(composed.context.standing.some(({ text }) => text.startsWith('# Rules: CLAUDE.md') && text.endsWith(TESTS)));
  });

  it('are named with the rule that they repeat and about the tokens, until they are removed', async () => {
    const { session } = await chatAmongFiles(
      windows,
      { 'AGENTS.md': lines(0, 40), 'CLAUDE.md': `# Claude\n\n${lines(0, 20)}`, '.windsurfrules': `${lines(20, 38)}\nAnd more.` },
      {},
    );
    const { sections, rules } = await viewOf(session);
    assert.deepEqual(
      [sections, rules.map(({ key, name, of, source }) => [key, name, of, source])],
      [
        0,
        [
          ['rule:CLAUDE.md', 'CLAUDE.md', 'AGENTS.md', 'AGENTS.md'],
          ['rule:.windsurfrules', '.windsurfrules', 'AGENTS.md', 'AGENTS.md'],
        ],
      ],
    );
    assert.ok(
      rules.every(({ tokens }) => tokens > 200 && tokens < 600),
      JSON.stringify(rules),
    );
    await session.context.remove({ type: 'rule', name: 'CLAUDE.md' });
    assert.deepEqual(
      (await viewOf(session)).rules.map(({ name }) => name),
      ['.windsurfrules'],
    );
  });
});

describe('Turning off rules', () => {
  const windows = useWindows();

  it('can be undone: each rule gets the mode that it had', async () => {
    const { window, session } = await chatAmongFiles(windows, {}, {});
    const shown: string[] = [];
    const banners = { show: ({ text }: { readonly text: string }) => void shown.push(text), hide: () => undefined };
    const removals = new ContextRemovals(banners, window.catalog);
    const modes = new Map([['rule:B', 'manual' as const]]);
    const changes: unknown[] = [];
    const change: ChangeInclude = ({ key, include }) => {
      changes.push([key, include]);
      return key === 'rule:gone' ? Promise.reject(new Error('gone')) : Promise.resolve(modes.get(key) ?? null);
    };
    await removals.turnOff(session, ['rule:A', 'rule:B'], change);
    await removals.undo(session);
    assert.deepEqual(changes.splice(0), [
      ['rule:A', 'off'],
      ['rule:B', 'off'],
      ['rule:A', null],
      ['rule:B', 'manual'],
    ]);
    await assert.rejects(removals.turnOff(session, ['rule:A', 'rule:gone'], change), /gone/);
    await removals.undo(session);
    assert.deepEqual(changes.at(-1), ['rule:A', null]);
    await assert.rejects(removals.turnOff(session, ['rule:gone'], change), /gone/);
    assert.deepEqual(shown, ['2 items are turned off.', 'A is turned off.']);
  });
});
