import assert from 'node:assert/strict';
import fc from 'fast-check';
import { turnVersions } from '../../../src/engine/chat/versions.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { inRuns } from '../../support/forAll.js';
import { readyPanel } from '../../support/host/panel.js';
import { conversation, lastUser, messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

describe('The versions of a turn', () => {
  const windows = useWindows();
  const userIds = ({ state }: ChatSession): string[] => messages(state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));
  const places = ({ state }: ChatSession): Record<string, string> =>
    Object.fromEntries([...turnVersions(state)].map(([id, { number, count }]) => [id, `${String(number)}/${String(count)}`]));

  /** Shows the next or the previous version of the message at `turn`, if there is one. */
  async function step(session: ChatSession, turn: number, to: 'earlier' | 'later'): Promise<boolean> {
    const rewindId = turnVersions(session.state).get(userIds(session)[turn] ?? '')?.[to] ?? null;
    if (rewindId !== null) {
      await session.conversation.restoreBranch(rewindId);
    }
    return rewindId !== null;
  }

  async function change(session: ChatSession, kind: string, turn: number): Promise<void> {
    const id = userIds(session)[turn];
    if (kind === 'send') {
      await session.conversation.send('/long 1');
    } else if (kind === 'earlier' || kind === 'later') {
      await step(session, turn, kind);
    } else if (id !== undefined) {
      await (kind === 'edit' ? session.conversation.edit(id, '/long 1') : session.conversation.retry(id));
    }
  }

  /** The runs up to a turn, which identify versions. */
  const runsOf = ({ state }: ChatSession, turn: number): string[] =>
    state.timeline.flatMap((item) => (item.kind === 'run' ? [item.runId] : [])).slice(0, turn + 1);

  it('are counted from the oldest, whether an edit or a retry made them, and lead to each other with what followed', async () => {
    const { session } = await windows.openChat({}, '/long 1', '/long 2');
    assert.deepEqual(places(session), {}, 'one version is not counted');
    await session.conversation.retry(userIds(session)[0] ?? '');
    await session.conversation.edit(userIds(session)[0] ?? '', '/long 3');
    const edited = conversation(session.state);
    assert.deepEqual(places(session), { [lastUser(session.state).id]: '3/3' });
    assert.ok(await step(session, 0, 'earlier'));
    assert.equal(conversation(session.state).length, 2);
    assert.ok(await step(session, 0, 'earlier'));
    assert.equal(conversation(session.state).length, 4, 'the first version went on');
    assert.deepEqual(Object.values(places(session)), ['1/3']);
    assert.ok(!(await step(session, 0, 'earlier')));
    await session.conversation.send('/long 1');
    await step(session, 0, 'later');
    await step(session, 0, 'later');
    assert.deepEqual(conversation(session.state), edited);
    await step(session, 0, 'earlier');
    await step(session, 0, 'earlier');
    assert.equal(conversation(session.state).length, 6, 'a version has what was said in it later');
  });

  it('do not count what goes on after a failure', async () => {
    const { session } = await windows.openChat({}, '/error 401', '/long 1');
    assert.deepEqual(places(session), {});
    await session.conversation.retry(lastUser(session.state).id);
    assert.deepEqual(places(session), { [lastUser(session.state).id]: '2/2' });
  });

  it('are each reached from every other one, after whatever edits, retries and returns', async () => {
    const acts = fc.array(fc.record({ kind: fc.constantFrom('send', 'edit', 'retry', 'earlier', 'later'), turn: fc.nat(2) }), {
      maxLength: 10,
    });
    await inRuns(40).forAllAsync(acts, fc.nat(2), async (steps, turn) => {
      const { session } = await windows.openChat({}, '/long 1');
      for (const { kind, turn: at } of steps) {
        await change(session, kind, at);
      }
      const all = new Set<string>();
      while (await step(session, turn, 'earlier'));
      do {
        all.add(JSON.stringify(runsOf(session, turn)));
      } while (await step(session, turn, 'later'));
      const { count = 1, number = 1 } = turnVersions(session.state).get(userIds(session)[turn] ?? '') ?? {};
      assert.deepEqual([all.size, number], [count, count]);
    });
  }).timeout(60_000);

  it('are gone through in the panel, which stays at the message', async () => {
    const { snapshot, webview, say, session } = await readyPanel(windows.open({}));
    await say({ type: 'send', chatId: session.id, text: '/long 1' });
    const first = lastUser(session.state).id;
    await session.conversation.edit(first, '/long 2');
    const entry = snapshot().entries.find(({ kind }) => kind === 'user');
    assert.ok(entry?.kind === 'user');
    const { number, count, earlier, later } = entry.versions ?? {};
    assert.deepEqual([number, count, later], [2, 2, null]);
    await say({ type: 'showVersion', chatId: session.id, rewindId: earlier ?? '' });
    const revealed = webview.received.findLast(({ type }) => type === 'reveal');
    assert.deepEqual(revealed, { type: 'reveal', entryId: first, text: null });
    await say({ type: 'showVersion', chatId: session.id, rewindId: turnVersions(session.state).get(first)?.later ?? '' });
    await say({
      type: 'showVersion',
      chatId: session.id,
      rewindId: turnVersions(session.state).get(lastUser(session.state).id)?.earlier ?? '',
    });
    assert.equal(snapshot().entries.filter(({ kind }) => kind === 'accounting').length, 1, 'of returns in a row the last one is on show');
  });
});
