import assert from 'node:assert/strict';
import { NO_CHAT } from '../../../src/engine/accounting/usedAttempt.js';
import { readFile, writeFile, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { usageExport, usageFormat } from '../../../src/host/usage/usageExport.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { FIRST_QUERY } from '../../../src/protocol/usage/usage.js';
import { failureOf } from '../../support/failures.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { NO_OTHERS, openUsage, type OpenedUsage } from '../../support/host/openUsage.js';
import { lastUser, lastAttempt } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import type { AttemptUsage } from '../../../src/engine/accounting/attemptUsage.js';
import { csvLine } from '../../../src/engine/accounting/usageExport.js';
import { usage } from '../../support/engine/events.js';
import { asked } from '../../support/host/spending.js';
import { manifestBlocksOf } from '../../../src/engine/request/rebuild.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';

const DAY = 86_400_000;

describe('the usage view', () => {
  const windows = useWindows();

  async function shownOf(window: Window): Promise<OpenedUsage> {
    const opened = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await opened.view.show(null);
    await until(() => opened.state().figures !== null, 'the chats are read');
    return opened;
  }

  it('is empty until all chats are read', () => {
    const window = windows.open({});
    const { view, state } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    assert.deepEqual(state(), {
      ...{ query: FIRST_QUERY, figures: null, requests: null, turns: null, hasTurns: false, quotas: [], limits: null, problem: null },
    });
    view.dispose();
  });

  it('counts the attempts of all chats, discarded, repeated and deleted ones too, and what a fork took over once', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 2', '/error 503 times 1');
    await session.conversation.edit(lastUser(session.state).id, '/long 3');
    const fork = await window.chats.fork(session, lastUser(session.state).id);
    await fork.conversation.send('/long 4');
    const doomed = await window.chats.create();
    await doomed.conversation.send('/long 5');
    await window.chats.delete(doomed.id);
    const { view, figures, requests } = await shownOf(window);
    const all = await window.chats.usage.all();
    const { total, legend, chatTitles } = figures();
    assert.equal(total.usd, all.cost);
    assert.equal(total.input, all.promptTokens + all.cacheReadInputTokens + all.cacheCreationInputTokens);
    assert.equal(requests().count, all.attempts);
    assert.equal(
      legend.find(({ key }) => key === 'discarded')?.sum.requests,
      1,
      'the first attempt of it never arrived, and nobody billed it',
    );
    assert.deepEqual(
      requests()
        .rows.map(({ purpose, chat }) => `${purpose}: ${chat ?? 'deleted'}`)
        .sort(),
      [
        'Reply, discarded: /long 2',
        'Reply: /long 2',
        'Reply: /long 2',
        'Reply: /long 2 (fork)',
        'Reply: deleted',
        'Retry, discarded: /long 2',
      ],
    );
    assert.equal(chatTitles[doomed.id], null);
    view.dispose();
  });

  it('is the same in another window, from the rows beside the chats, and where these are damaged or missing', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/error 503 times 1', '/long 3');
    const here = await shownOf(window);
    const { figures, requests } = here.state();
    assert.ok(requests?.rows.some(({ purpose }) => purpose === 'Retry') === true);
    here.view.dispose();
    await window.store.updateDerived(session.id, 1);
    await window.chats.close();
    const file = join(windows.folder, 'chats', session.id, 'attempts.json');
    const kept = await readFile(file, 'utf8');
    for (const content of [kept, kept.slice(0, -20), kept.replace('"isRetry"', '"isretry"'), '']) {
      await writeFile(file, content);
      const other = windows.open({ models: BILLED_MODELS, writerId: `other-${String(content.length)}-${String(content === kept)}` });
      const there = await shownOf(other);
      assert.deepEqual([there.state().figures, there.state().requests], [figures, requests]);
      there.view.dispose();
      assert.deepEqual(other.errors, []);
    }
  });

  it('counts a request by its own time when the clock is set back over midnight', async () => {
    const clock = new RunningClock();
    clock.time = Date.UTC(2026, 10, 18, 0, 10);
    const { window, session } = await windows.openChat({ models: BILLED_MODELS, clock }, '/long 2');
    clock.time = Date.UTC(2026, 10, 17, 23, 50);
    await session.conversation.send('/long 3');
    const { view, figures, requests } = await shownOf(window);
    const perDay = figures().bars.map(({ sum }) => sum.requests);
    assert.deepEqual(perDay, [0, 1, 1, 0, 0, 0, 0]);
    assert.equal(requests().count, 2);
    view.dispose();
  });

  it('follows what is sent and what is deleted', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const [kept, doomed] = [await window.chats.create(), await window.chats.create()];
    await doomed.conversation.send('/long 2');
    const { view, figures } = await shownOf(window);
    await Promise.all([kept.conversation.send('/long 3'), doomed.conversation.send('/long 4')]);
    await until(() => figures().total.requests === 3, 'both new requests count');
    assert.equal(figures().total.usd, (ledgerTotals(kept.state).cost ?? 0) + (ledgerTotals(doomed.state).cost ?? 0));
    const before = figures().total;
    await window.chats.delete(doomed.id);
    await until(() => figures().chatTitles[doomed.id] === null, 'the chat is deleted');
    assert.deepEqual(figures().total, before);
    view.dispose();
  });

  it('shows all chats where the one that it was opened for has no request', async () => {
    const { window, session: used } = await windows.openChat({ models: BILLED_MODELS }, '/long 2');
    const fresh = await window.chats.create();
    const { view, state, figures } = await shownOf(window);
    await view.show(used.id);
    await until(() => state().query.chatId === used.id, 'the used chat is shown');
    await view.show(fresh.id);
    await until(() => state().query.chatId === null, 'all chats are shown');
    assert.equal(figures().total.requests, 1);
    view.dispose();
  });

  it('shows the chat that it was opened for, in the latest week in which it was used', async () => {
    const clock = new RunningClock();
    const { window, session: old } = await windows.openChat({ models: BILLED_MODELS, clock }, '/long 2');
    clock.time += 20 * DAY;
    const other = await window.chats.create();
    await other.conversation.send('/long 3');
    const { view, state, figures } = await shownOf(window);
    assert.deepEqual([figures().total.requests, figures().period.isCurrent, figures().period.hasEarlier], [1, true, true]);
    await view.show(old.id);
    await until(() => state().query.from !== null, 'the week of the chat is shown');
    assert.deepEqual([figures().total.requests, figures().period.isCurrent, figures().period.hasEarlier], [1, false, false]);
    assert.deepEqual(Object.keys(figures().chatTitles), [old.id]);
    assert.deepEqual(figures().allChats, figures().total, 'no other chat was used in that week');
    view.ask({ ...state().query, from: clock.time, chatId: null });
    await until(() => figures().period.isCurrent, 'the current week is shown');
    assert.equal(state().query.from, null, 'it goes on with the clock');
    view.dispose();
  });

  it('shows all chats in the latest week with usage, and compares one chat with all', async () => {
    const clock = new RunningClock();
    const { window, session } = await windows.openChat({ models: BILLED_MODELS, clock }, '/long 2');
    await (await window.chats.create()).conversation.send('/long 30');
    clock.time += 20 * DAY;
    const { view, figures } = await shownOf(window);
    assert.deepEqual([figures().total.requests, figures().period.isCurrent, figures().allChats], [2, false, null]);
    const all = figures().total;
    await view.show(session.id);
    await until(() => figures().total.requests === 1, 'one chat is shown');
    assert.deepEqual(figures().allChats, all);
    view.dispose();
  });

  it('filters, sorts and cuts the table, and exports exactly the filtered requests', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS });
    for (const text of ['/long 9', '/long 1', '/long 5']) {
      await session.conversation.send(text);
    }
    const other = await window.chats.create();
    await other.conversation.send('/long 2');
    const { view, requests } = await shownOf(window);
    view.ask({ ...FIRST_QUERY, chatId: session.id, sort: { column: 'out', isDescending: true }, most: 2 });
    await until(() => requests().count === 3, 'the table is filtered');
    const out = requests().rows.map(({ counts }) => counts.out?.value ?? 0);
    assert.ok(out.length === 2 && (out[0] ?? 0) > (out[1] ?? 0));
    const exported = await view.exported('period');
    const json = JSON.parse(Buffer.from(await usageExport(exported, 'json')).toString()) as Record<string, unknown>[];
    assert.deepEqual(
      json.map(({ attempt_id: id, chat, usd }) => [id, chat, usd]),
      exported.attempts.map(({ row }) => [row.id, '/long 9', row.cost?.usd]),
    );
    assert.equal(json.length, 3);
    const csv = Buffer.from(await usageExport(exported, 'csv'))
      .toString()
      .split('\r\n');
    assert.deepEqual([csv.length, csv.at(-1)], [5, '']);
    view.ask({ ...FIRST_QUERY, text: 'long 2 reply' });
    await until(() => requests().count === 1, 'the text is looked for');
    assert.deepEqual([usageFormat('/a/b.JSON'), usageFormat('/a/b')], ['json', 'csv']);
    view.dispose();
  });

  it('reads only the chats that have changed since they were read', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    await first.conversation.send('/long 2');
    await second.conversation.send('/long 2');
    const read: string[] = [];
    const { usage } = window.chats;
    const usages = usage.usages.bind(usage);
    usage.usages = (chatId) => {
      if (chatId !== NO_CHAT) {
        read.push(chatId);
      }
      return usages(chatId);
    };
    const rows = new UsageRows(window.chats);
    await rows.readAll();
    assert.deepEqual(read.toSorted(), [first.id, second.id].toSorted());
    read.length = 0;
    await second.conversation.send('/long 3');
    await rows.readAll();
    assert.deepEqual(read, [second.id]);
  });

  it('says why the chats cannot be read, and takes that back when they can', async () => {
    const window = windows.open({});
    const { view, state } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    const refresh = window.chats.refresh.bind(window.chats);
    window.chats.refresh = () => Promise.reject(failureOf('storage', 'The disk is gone.'));
    await view.show(null);
    await until(() => state().problem === 'The disk is gone.', 'the failure is shown');
    assert.equal(state().figures, null);
    await assert.rejects(view.exported('all'), { message: 'The disk is gone.' });
    window.chats.refresh = refresh;
    await view.show(null);
    await until(() => state().figures !== null, 'the chats are shown');
    assert.equal(state().problem, null);
    view.dispose();
  });
});

describe('a request outside of chats', () => {
  const windows = useWindows();

  function probe(id: string, at: number): AttemptUsage {
    const spent = { usage: usage(12, 0, 0, 3), cost: { usd: 1, atLeast: false }, isUnbilled: false };
    return { id, at, purpose: 'probe', model: { provider: 'house', model: 'large' }, isDiscarded: false, ...spent };
  }

  it('is in the sum over all chats, in each window and after all have closed', async () => {
    const window = windows.open({});
    await window.chats.usage.addOutside(probe('1-a', 1));
    const other = windows.open({ writerId: 'other' });
    await other.chats.usage.addOutside(probe('2-b', 2));
    assert.equal((await window.chats.usage.all()).cost, 2);
    await window.chats.close();
    await other.chats.close();
    assert.equal((await windows.open({ writerId: 'later' }).chats.usage.all()).cost, 2);
  });

  it('is in Usage as it is made, under a name of its own, and cannot be opened', async () => {
    const window = windows.open({});
    const opened = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await opened.view.show(null);
    await until(() => opened.state().figures !== null, 'the chats are read');
    await window.chats.usage.addOutside(probe('1-a', window.clock.now()));
    await until(() => opened.figures().total.requests === 1, 'the request is there');
    const [row] = opened.requests().rows;
    assert.deepEqual([row?.chat, row?.purpose, row?.opens, row?.isElsewhere], ['Outside of chats', 'Test message', false, false]);
    assert.equal(opened.figures().legend.find(({ key }) => key === 'probe')?.sum.usd, 1);
    const { attempts } = await opened.view.exported('all');
    assert.match(csvLine(attempts[0]!, { when: 'now', chat: 'Outside of chats', held: null }), /^now,,Outside of chats,1-a,probe,1,/);
    opened.view.ask({ ...opened.state().query, chatId: NO_CHAT });
    await until(() => opened.figures().total.requests === 1, 'it can be filtered by');
    opened.view.dispose();
  });

  it('counts against the cap of its day', async () => {
    const limits = { askAbove: null, capPerChat: null, capPerDay: 0.5 };
    const window = windows.open({ models: BILLED_MODELS, spend: () => limits });
    await window.chats.usage.addOutside(probe('1-a', window.clock.now()));
    const session = await window.chats.create();
    const sending = session.conversation.send('And now?');
    const { objection } = await asked(session);
    assert.deepEqual(objection, { kind: 'dayCap', limit: 0.5, spent: { usd: 1, isAtLeast: false } });
    await session.conversation.stop();
    await sending;
  });

  it('that is damaged or cannot be read is named once in the log, and the others count', async () => {
    const window = windows.open({});
    const folder = join(windows.folder, 'requests');
    for (const [at, id] of ['1-a', '2-b', '3-c'].entries()) {
      await window.chats.usage.addOutside(probe(id, at + 1));
    }
    const [first = '', second = ''] = (await readdir(folder)).toSorted();
    await writeFile(join(folder, first), '{"id":"1-a","cost":{"usd":7}}');
    await rm(join(folder, second));
    // A link loop: opening it fails for all users.
    await symlink(second, join(folder, second));
    const later = windows.open({ writerId: 'later' });
    assert.equal((await later.chats.usage.all()).cost, 1);
    await later.chats.usage.all();
    const areNamed = later.errors.map(({ message }) => message.includes(first) || message.includes(second));
    assert.deepEqual(areNamed, [true, true]);
  });
});

const FILES = {
  '.loupe/rules/fixed.md': '---\nname: Fixed\ninclude: always\n---\nTimes are local.',
  '.loupe/rules/off.md': '---\nname: Off\ninclude: agent\nenabled: false\n---\nNever.',
  'src/tides.ts': 'export const high = 4.2;\n',
};

describe('what an export of usage says of each request', () => {
  const windows = useWindows();

  async function exported(window: Window): Promise<ReadonlyMap<unknown, Record<string, unknown>>> {
    const { view } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await view.show(null);
    const text = Buffer.from(await usageExport(await view.exported('all'), 'json')).toString('utf8');
    view.dispose();
    const rows = JSON.parse(text) as readonly Record<string, unknown>[];
    return new Map(
      rows.map(({ attempt_id: id, ...row }) => [
        id,
        Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith('context_'))),
      ]),
    );
  }

  it('is what its record holds, in the window that sent it and in another, and nothing once its chat is deleted', async () => {
    const { session, window } = await chatAmongFiles(windows, FILES, {});
    await session.context.add({ type: 'file', name: 'src/tides.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('When is the tide high?');
    const attempt = lastAttempt(session.state);
    const columns = (await exported(window)).get(attempt.id);
    const { context_rules: rules, context_files: files, context_skills: skills, context_not_selected: left } = columns ?? {};
    assert.deepEqual([rules, files, skills, left], [1, 1, 0, 1]);
    const blocks = manifestBlocksOf(attempt, session.state.attempts) ?? assert.fail('The record is damaged.');
    for (const category of ['system', 'rules', 'files', 'conversation'] as const) {
      const tokens = blocks.reduce((sum, block) => sum + (block.category === category ? block.tokens : 0), 0);
      assert.ok(tokens > 0, category);
      assert.equal(columns?.[`context_${category}_tokens`], tokens, category);
    }
    const other = windows.open({ writerId: 'other' });
    assert.deepEqual((await exported(other)).get(attempt.id), columns);
    await window.chats.delete(session.id);
    const deleted = (await exported(window)).get(attempt.id) ?? assert.fail('A deleted chat keeps its usage.');
    assert.deepEqual([...new Set(Object.values(deleted))], [null]);
  });
});
