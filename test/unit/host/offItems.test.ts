import assert from 'node:assert/strict';
import type { AgentInclude } from '../../../src/engine/context/agentProfile.js';
import { itemKey } from '../../../src/engine/record/item.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { ContextRemovals, type ItemSwitch, type SwitchInSettings } from '../../../src/host/panel/composer/contextRemovals.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { useWindows } from '../../support/host/window.js';

const FILES = {
  'AGENTS.md': 'Say "metres".',
  '.loupe/rules/tides.md': '---\nname: Tides\ninclude: agent\n---\nUse the tables.',
  '.loupe/agents/clerk.md': '---\nname: Clerk\nrules:\n  Tides: always\n---\nYou keep the books.',
};
const [AGENTS, TIDES] = ['rule:AGENTS.md', 'rule:Tides'];

describe('an item that the user switches off', () => {
  const windows = useWindows();

  const open = async () => {
    const { window, files, session } = await chatAmongFiles(windows, FILES, {});
    const shown: string[] = [];
    const removals = new ContextRemovals({ show: ({ text }) => void shown.push(text), hide: () => undefined }, window.catalog);
    /** Changes the modes of the window, as a change of the settings does. */
    const setMode = (key: string, mode: AgentInclude | null): Promise<void> => {
      if (mode === null) {
        files.includes.delete(key);
      } else {
        files.includes.set(key, mode);
      }
      return Promise.resolve();
    };
    const inSettings: SwitchInSettings = async (key, to) => {
      const before = files.includes.get(key) ?? null;
      await setMode(key, to === null ? null : 'off');
      return () => setMode(key, before);
    };
    const change = (to: ItemSwitch['to'], key: string): Promise<void> => removals.switchItem(session, { key, to }, inSettings);
    return { session, change, undo: () => removals.undo(session), shown };
  };

  /** The rules of the next request, and where each other rule is off. */
  const rulesOf = async (session: ChatSession): Promise<readonly string[]> => {
    const { records } = await session.next.preview({ text: 'What are the tides?', editing: null });
    return records
      .map(({ item, leftOut }) => {
        const by = leftOut?.code === 'disabled' ? ` by ${leftOut.by ?? 'unknown'}` : '';
        return `${itemKey(item)} ${leftOut === null ? item.includeMode : `${leftOut.code}${by}`}`;
      })
      .sort();
  };
  const BEFORE = ['rule:AGENTS.md always', 'rule:Tides agent'];

  it('is in no request of the chat and is not picked, and is again as before after Undo and when it is on again', async () => {
    const { session, change, undo, shown } = await open();
    assert.deepEqual(await rulesOf(session), BEFORE);
    for (const [key, off] of [
      [AGENTS, ['rule:AGENTS.md removed', 'rule:Tides agent']],
      [TIDES, ['rule:AGENTS.md always', 'rule:Tides removed']],
    ] as const) {
      await change('chat', key);
      assert.deepEqual(await rulesOf(session), off);
      await undo();
      assert.deepEqual(await rulesOf(session), BEFORE);
      await change('chat', key);
      await change(null, key);
      assert.deepEqual(await rulesOf(session), BEFORE);
      await undo();
      assert.deepEqual(await rulesOf(session), off);
      await change(null, key);
    }
    assert.deepEqual(shown.slice(0, 3), [
      'AGENTS.md is excluded from this chat.',
      'AGENTS.md is excluded from this chat.',
      'AGENTS.md is included again.',
    ]);
  });

  it('is not picked either after the user had added it to the chat', async () => {
    const { session, change, undo } = await open();
    await session.context.add({ type: 'rule', name: 'Tides', includeMode: 'manual', addedHash: null, given: null });
    await change('chat', TIDES);
    assert.deepEqual(await rulesOf(session), ['rule:AGENTS.md always', 'rule:Tides removed']);
    await undo();
    assert.deepEqual(await rulesOf(session), ['rule:AGENTS.md always', 'rule:Tides manual']);
  });

  it('is off in the settings, also in a chat that has it, and nowhere else', async () => {
    const { session, change, undo, shown } = await open();
    await change('chat', AGENTS);
    await change('everywhere', AGENTS);
    assert.deepEqual(await rulesOf(session), ['rule:AGENTS.md disabled by everywhere', 'rule:Tides agent']);
    await change(null, AGENTS);
    assert.deepEqual(await rulesOf(session), BEFORE);
    await undo();
    assert.deepEqual(await rulesOf(session), ['rule:AGENTS.md disabled by everywhere', 'rule:Tides agent']);
    assert.deepEqual(shown.slice(1), ['AGENTS.md is never used.', 'AGENTS.md is included again.']);
  });

  it('says that sent text of it stays in requests, unless the prompt is made anew for each request', async () => {
    const { session, change, shown } = await open();
    await session.conversation.send('Hello');
    await change('chat', AGENTS);
    await change(null, AGENTS);
    await session.changeConfig({ cacheMode: 'all-off' });
    await change('folder', AGENTS);
    assert.deepEqual(shown, [
      'AGENTS.md is excluded from this chat. Text that was already sent stays in requests until Loupe rebuilds the prompt.',
      'AGENTS.md is included again.',
      'AGENTS.md is excluded in this folder.',
    ]);
  });

  it('says that the agent of the chat still includes it', async () => {
    const { session, change, shown } = await open();
    await session.changeConfig({ agent: 'Clerk' });
    await change('folder', TIDES);
    assert.deepEqual(shown, ['Tides is excluded in this folder. The agent Clerk still includes it.']);
  });

  it('does no harm if it no longer exists', async () => {
    const { session, change } = await open();
    await change('folder', 'rule:gone');
    assert.deepEqual(await rulesOf(session), BEFORE);
  });
});
