import assert from 'node:assert/strict';
import { addTotals, ledgerTotals } from '../../../src/engine/accounting/ledger.js';
import { UsageTable } from '../../../src/host/usage/usageTable.js';
import { USAGE_STATE, type UsageMessage, type UsageTableRow, type UsageState } from '../../../src/protocol/usage.js';
import { failureOf } from '../../support/failures.js';
import { BILLED_PRICES } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { useWindows, type Window } from '../../support/host/window.js';

/** The table, and what a webview makes of what it posts. */
function openTable({ chats, errors }: Window): { readonly table: UsageTable; readonly view: () => UsageState } {
  const table = new UsageTable({ chats, logError: (error) => errors.push(error) });
  const shown: { state: UsageState | null } = { state: null };
  table.channel.connect((message: UsageMessage) => {
    const { type } = message;
    shown.state = type === 'snapshot' ? message.state : shown.state === null ? null : USAGE_STATE.apply(shown.state, message.delta);
  });
  table.channel.ready();
  const view = (): UsageState => {
    assert.ok(shown.state !== null, 'there was no snapshot');
    return shown.state;
  };
  return { table, view };
}

function labels(rows: readonly UsageTableRow[] | null): string[] {
  return (rows ?? []).map(({ label }) => label);
}

describe('the usage table', () => {
  const windows = useWindows();

  it('is empty until all chats are read', () => {
    const { table, view } = openTable(windows.open({}));
    assert.deepEqual(view(), { chats: null, total: null, models: {}, problem: null, marked: null });
    table.dispose();
  });

  it('has a line for each chat, latest first, and their sum', async () => {
    const window = windows.open({});
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    await first.conversation.send('/long 2');
    await second.conversation.send('/long 3');
    const { table, view } = openTable(window);
    await table.read(first.id);
    await until(() => view().chats !== null, 'the chats are shown');
    const { chats, total, marked } = view();
    assert.deepEqual(labels(chats), ['/long 3', '/long 2']);
    assert.equal(marked, first.id);
    const sum = addTotals(ledgerTotals(first.state), ledgerTotals(second.state));
    assert.deepEqual(
      [total?.requests, total?.freshTokens, total?.outputTokens, total?.cost],
      [2, sum.promptTokens, sum.completionTokens, sum.cost],
    );
    table.dispose();
  });

  it('has no line for a chat that made no request', async () => {
    const window = windows.open({});
    await window.chats.create();
    const asked = await window.chats.create();
    await asked.conversation.send('/long 2');
    await window.chats.create();
    const { table, view } = openTable(window);
    await table.read(null);
    await until(() => view().chats !== null, 'the chats are shown');
    assert.deepEqual(labels(view().chats), ['/long 2']);
    table.dispose();
  });

  it('counts the tokens of the practice model, and not the dollars that nobody paid', async () => {
    const house = await scriptedHouse('openai-compatible', {});
    const window = windows.open({ sources: [house.source] });
    const session = await window.chats.create();
    await session.conversation.send('/long 2');
    await session.conversation.send('/error cut');
    const { table, view } = openTable(window);
    await table.read(null);
    await until(() => view().chats !== null, 'the chat is shown');
    const [practised] = view().chats ?? [];
    assert.deepEqual([practised?.requests, practised?.cost, practised?.unknownRequests], [2, null, 0]);
    assert.ok((practised?.outputTokens ?? 0) > 0);
    house.replies.push([{ text: 'Paid.' }, { bills: [1_000, 100] }]);
    await session.changeConfig({ model: house.large });
    await session.conversation.send('Hello');
    await table.read(null);
    await until(() => view().chats?.[0]?.cost !== null, 'the cost is shown');
    const [both] = view().chats ?? [];
    const paid = (1_000 * BILLED_PRICES.input + 100 * BILLED_PRICES.output) / 1_000_000;
    assert.deepEqual([both?.cost, both?.unknownRequests, view().total?.cost], [paid, 0, paid]);
    table.dispose();
  });

  it('follows what is sent, and what is deleted still counts', async () => {
    const window = windows.open({});
    const [kept, doomed] = [await window.chats.create(), await window.chats.create()];
    await doomed.conversation.send('/long 2');
    const { table, view } = openTable(window);
    await table.read(null);
    await kept.conversation.send('/long 3');
    await until(() => view().chats?.find(({ key }) => key === kept.id)?.requests === 1, 'the new request counts');
    const before = view().total;
    await window.chats.delete(doomed.id);
    await until(() => labels(view().chats).includes('Deleted chats'), 'the deleted chat has a line');
    assert.deepEqual(labels(view().chats), ['/long 3', 'Deleted chats']);
    assert.deepEqual(view().total, before);
    table.dispose();
  });

  it('has the models of a chat only while it is open', async () => {
    const window = windows.open({});
    const chat = await window.chats.create();
    await chat.conversation.send('/long 2');
    await chat.changeConfig({ model: { provider: 'practice', model: 'small' } });
    await chat.conversation.send('/long 3');
    await chat.conversation.send('/long 4');
    const { table, view } = openTable(window);
    await table.read(null);
    await until(() => view().chats !== null, 'the chats are shown');
    assert.deepEqual(view().models, {});
    table.showRows([chat.id]);
    await until(() => view().models[chat.id]?.kind === 'rows', 'its models are shown');
    const open = view().models[chat.id];
    assert.deepEqual(
      (open?.kind === 'rows' ? open.rows : []).map(({ key, requests }) => [key, requests]),
      [
        ['practice/standard', 1],
        ['practice/small', 2],
      ],
    );
    table.showRows([]);
    await until(() => view().models[chat.id] === undefined, 'the rows are gone');
    table.dispose();
  });

  it('says of an open chat that it cannot be read, and tries again when it is opened anew', async () => {
    const window = windows.open({});
    const broken = await window.chats.create();
    const { table, view } = openTable(window);
    await table.read(null);
    const open = window.chats.open.bind(window.chats);
    window.chats.open = () => Promise.reject(failureOf('storage', 'The disk is gone.'));
    table.showRows([broken.id]);
    await until(() => view().models[broken.id]?.kind === 'failed', 'the row says so');
    assert.deepEqual(view().models[broken.id], { kind: 'failed', text: 'The disk is gone.' });
    assert.deepEqual(
      window.errors.map(({ message }) => message),
      ['The disk is gone.'],
    );
    window.chats.open = open;
    table.showRows([]);
    table.showRows([broken.id]);
    await until(() => view().models[broken.id]?.kind === 'rows', 'its models are shown');
    table.dispose();
  });

  it('says why the chats cannot be read, and takes that back when they can', async () => {
    const window = windows.open({});
    const { table, view } = openTable(window);
    const refresh = window.chats.refresh.bind(window.chats);
    window.chats.refresh = () => Promise.reject(failureOf('storage', 'The disk is gone.'));
    await table.read(null);
    await until(() => view().problem === 'The disk is gone.', 'the problem is shown');
    assert.equal(view().chats, null);
    window.chats.refresh = refresh;
    await table.read(null);
    await until(() => view().chats !== null, 'the chats are shown');
    assert.equal(view().problem, null);
    table.dispose();
  });

  it('keeps what two chats used that change at the same time', async () => {
    const window = windows.open({});
    const [first, second] = [await window.chats.create(), await window.chats.create()];
    const { table, view } = openTable(window);
    await table.read(null);
    await Promise.all([first.conversation.send('/long 2'), second.conversation.send('/long 3')]);
    await until(() => view().total?.requests === 2, 'both requests count');
    const sum = addTotals(ledgerTotals(first.state), ledgerTotals(second.state));
    await until(() => view().total?.outputTokens === sum.completionTokens, 'with all their tokens');
    table.dispose();
  });
});
