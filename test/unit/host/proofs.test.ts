import assert from 'node:assert/strict';
import { type ItemProof, NEVER_HELD } from '../../../src/engine/accounting/itemProof.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { type ChatProofs, Proofs, proofView } from '../../../src/host/chat/proofs.js';
import { BILLED_MODELS, BILLED_PRICES } from '../../support/host/billedModels.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { damageLine } from '../../support/host/damage.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { panelOf } from '../../support/host/panel.js';
import { type Window, useWindows } from '../../support/host/window.js';

const RULES = {
  'AGENTS.md': 'Heights are metres. '.repeat(40),
  'src/AGENTS.md': 'Names are short.',
  'CLAUDE.md': 'Heights are metres. '.repeat(41),
  'src/a.ts': 'export const a = 1;',
};

const DAY = 86_400_000;

describe('the proof of a rule over chats', () => {
  const windows = useWindows();

  function proofsOf({ chats, clock }: Window): Proofs {
    return new Proofs({ chats, clock, pricesOf: () => BILLED_PRICES });
  }

  async function among(): Promise<{ readonly window: Window; readonly session: ChatSession; readonly clock: RunningClock }> {
    const clock = new RunningClock();
    return { ...(await chatAmongFiles(windows, RULES, { models: BILLED_MODELS, clock })), clock };
  }

  const agents = ({ items }: ChatProofs['chat']): ItemProof => items.get('rule:AGENTS.md') ?? NEVER_HELD;

  it('counts the requests of the chat and those of all chats in the last month, with their price', async () => {
    const { window, session, clock } = await among();
    await session.conversation.send('/long 1');
    const other = await window.chats.create();
    await other.conversation.send('/long 1');
    await other.context.remove({ type: 'rule', name: 'AGENTS.md' });
    await other.conversation.send('/long 1');
    const proofs = proofsOf(window);
    const first = await proofs.read(session.id);
    assert.deepEqual([first.chat.requests, agents(first.chat).whole], [1, 1]);
    assert.equal(first.recent.requests, 3);
    const { whole, cost, tokens } = agents(first.recent);
    // The layout Continue still sends it while that is free, but the record no longer has it.
    assert.equal(whole, 2);
    assert.ok(tokens > 0 && cost !== null && cost > 0);
    assert.ok(cost < (await window.chats.usage.all()).cost!, 'a part of what all requests cost');

    clock.time += 40 * DAY;
    await session.conversation.send('/long 1');
    const later = await proofs.read(session.id);
    assert.deepEqual([later.chat.requests, later.recent.requests], [2, 1]);
    assert.deepEqual(agents(later.recent).lastAt, agents(later.chat).lastAt);
  });

  it('is the same in another window, which has none of the chats open', async () => {
    const { window, session } = await among();
    for (const text of ['/long 1', '/error 401', '/long 2']) {
      await session.conversation.send(text);
    }
    const here = await proofsOf(window).read(session.id);
    assert.equal(agents(here.chat).whole, 3, 'a request that failed was sent, too');
    assert.deepEqual(
      await proofsOf(windows.open({ writerId: 'second', models: BILLED_MODELS, clock: window.clock })).read(session.id),
      here,
    );
  });

  it('does without a chat that cannot be read, and logs why', async () => {
    const { window, session } = await among();
    await session.conversation.send('/long 1');
    const broken = await window.chats.create();
    await broken.conversation.send('/long 1');
    await window.chats.close();
    await damageLine(windows.folder, broken.id, 0);
    const second = windows.open({ writerId: 'second', models: BILLED_MODELS, clock: window.clock });
    const { recent } = await proofsOf(second).read(session.id);
    assert.equal(recent.requests, 1);
    const isLogged = second.errors.some(({ message }) => message.includes('damaged'));
    assert.ok(isLogged, String(second.errors));
  });

  it('names the rule of a nearer folder that came after it, and what says the same', async () => {
    const { window, session } = await among();
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('/long 1');
    const catalog = await window.catalog.read();
    const proofs = await proofsOf(window).read(session.id);
    const view = async (key: string) => proofView(key, catalog.get(key)!, catalog, proofs);
    const outer = await view('rule:AGENTS.md');
    assert.deepEqual(outer.nearer, ['src/AGENTS.md']);
    assert.deepEqual(outer.duplicates, [{ text: 'All of this file is also in CLAUDE.md.', source: 'CLAUDE.md' }]);
    assert.deepEqual((await view('rule:src/AGENTS.md')).nearer, []);
  });

  it('is shown for the row that is open in the pane, and follows what is sent', async () => {
    const { window, session } = await among();
    const { panel, shown, webview, say } = await panelOf(window, session.id);
    await shown.show(session.id);
    const manager = { search: '', open: [], servers: [], proof: 'rule:AGENTS.md', rows: {} };
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager });
    const wholeIn = async (requests: number): Promise<void> => {
      await until(() => webview.state.itemProof?.chat.requests === requests, `the proof over ${String(requests)} requests`);
      assert.equal(webview.state.itemProof?.chat.whole, requests);
    };
    await wholeIn(0);
    await session.conversation.send('/long 1');
    await wholeIn(1);
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager: { ...manager, proof: null, rows: {} } });
    await until(() => webview.state.itemProof === null, 'the proof is closed');
    panel.dispose();
  });
});
