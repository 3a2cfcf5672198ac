import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiDiagnosis } from '../../../../src/host/api/apiRequests.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { requestChart } from '../../../../src/host/inspector/requestChart.js';
import { diagnosisPorts } from '../../../../src/host/request/verdict/attemptDiagnosis.js';
import { sumOfParts } from '../../../../webview/shared/cacheStates.js';
import { NEXT_REQUEST } from '../../../../src/protocol/inspector/inspector.js';
import { column } from '../../../support/columns.js';
import { BILLED_MODELS } from '../../../support/host/billedModels.js';
import { until } from '../../../support/host/clocks.js';
import { openInspector } from '../../../support/host/openInspector.js';
import { lastUser } from '../../../support/host/reading.js';
import { useWindows } from '../../../support/host/window.js';

const ids = ({ state }: ChatSession): string[] => [...state.attempts.keys()];
const near = (a: number, b: number): void => {
  assert.ok(Math.abs(a - b) < 1e-9, `${String(a)} and ${String(b)}`);
};

function known<T>(value: T | null | undefined): T {
  assert.ok(value !== null && value !== undefined);
  return value;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

describe('the Request Inspector', () => {
  const windows = useWindows();

  it('shows a past request block by block: tokens that add up to its input, prices that add up to what it cost', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 200', 'And how do I prove that?');
    const [first = '', second = ''] = ids(session);
    const { view, state, request, detail } = await openInspector(window, session.id, { id: second, ports: {} });
    const { blocks, input, framing, difference, inputPrice, replyPrice, before, number } = request();
    assert.equal(number, 2);
    assert.deepEqual(before, { id: first, number: 1 });
    assert.equal(sum(blocks.map(({ tokens }) => tokens)) + framing + difference, input);
    assert.equal(sum(blocks.map(({ cache }) => sumOfParts(known(cache)))), input);
    near(sum(blocks.map(({ price }) => known(price))), known(inputPrice));
    near(known(inputPrice) + known(replyPrice), known(session.state.attempts.get(second)?.end?.cost?.usd));
    assert.deepEqual(
      blocks.map(({ name, why }) => `${name.slice(0, 30)} (${why})`),
      [
        'System prompt (always)',
        'You: /long 200 (history)',
        `${blocks[2]?.name.slice(0, 30) ?? ''} (history)`,
        'You: And how do I prove that? (your message)',
      ],
    );
    assert.equal(request().differsAt, null, 'it goes on with what the one before held');
    assert.deepEqual(
      { ...detail(), lines: column(detail().lines, 'text') },
      { block: 3, kind: 'text', note: '', lines: ['And how do I prove that?'], linesBefore: 0, linesAfter: 0 },
    );
    assert.match(state().verdict?.cost ?? '', /^Cost \$0\.\d{4}$/);
    assert.deepEqual(column(state().chart?.requests, 'id'), [first, second]);
    view.dispose();
  });

  it('marks the request of an edit in the chart, also where both have the same time, and no later one', async () => {
    const { session } = await windows.openChat({ models: BILLED_MODELS }, '/long 3');
    await session.conversation.edit(lastUser(session.state).id, '/long 4');
    await session.conversation.send('/long 5');
    const { state } = session;
    const [edited] = state.timeline.flatMap((item) =>
      item.kind === 'message' && item.message.role === 'accounting' && item.message.reason === 'edited' ? [item.at] : [],
    );
    const [, second] = ids(session);
    const attempts = new Map([...state.attempts].map(([id, each]) => [id, id === second ? { ...each, startedAt: known(edited) } : each]));
    const shown = requestChart({ ...state, attempts }, session.id).requests.map(({ signs }) => signs.join());
    assert.deepEqual(shown, ['', 'edit', '']);
  });

  it('shows the change of the first block that differs, and marks edits and what changed in the chart', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    window.files.texts.set('src/a.ts', 'let one;\nlet two;\n');
    const session = await window.chats.create();
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('/long 3');
    window.files.texts.set('src/a.ts', 'let one;\nlet three;\n');
    await session.conversation.send('/long 4');
    await session.conversation.edit(lastUser(session.state).id, '/long 5');
    const [, second = ''] = ids(session);
    const { view, state, request, detail } = await openInspector(window, session.id, { id: second, ports: {} });
    const shown = state().chart?.requests.map(({ signs, changed: name }) => name ?? signs.join());
    assert.deepEqual(shown, ['', 'src/a.ts', 'edit']);
    const changed = request().blocks[request().differsAt ?? -1];
    assert.equal(changed?.name, 'src/a.ts');
    assert.equal(changed.why, 'manual, changed');
    assert.equal(detail().kind, 'change');
    assert.match(detail().note, /^This is the first changed block\./);
    assert.deepEqual(
      detail()
        .lines.filter(({ mark }) => mark === '+' || mark === '−')
        .map(({ mark, text }) => `${mark}${text}`),
      ['−let two;', '+let three;'],
    );
    view.dispose();
  });

  it('shows the payload byte for byte, from the lines of the block on, and finds words in the texts', async () => {
    const { window, session } = await windows.openChat({}, 'Say "tide" \\ twice', 'Thanks');
    const [, second = ''] = ids(session);
    const { view, state, detail, ask } = await openInspector(window, session.id, { id: second, ports: {} });
    await ask({ block: 1, detail: 'payload' }, ({ detail: shown }) => shown?.kind === 'payload');
    const { body } = (await session.records.request(second)).rebuilt;
    assert.match(detail().note, /^Lines \d+ to \d+ of \d+, byte for byte\. Loupe hides API keys\.$/);
    const text = detail()
      .lines.map((line) => line.text.trimStart())
      .join('');
    assert.ok(body.includes(text) && text.includes(JSON.stringify('Say "tide" \\ twice')), text);
    assert.doesNotMatch(text, /Thanks/);
    await ask({ find: 'TIDE' }, ({ found }) => found !== null);
    assert.ok(state().found?.includes(1) === true && state().found?.includes(3) === false);
    view.dispose();
  });

  it('calls an answered message history in the next request', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, 'Hello');
    const { view, request } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: {} });
    assert.deepEqual(column(request().blocks, 'why').slice(-2), ['history', 'history']);
    view.dispose();
  });

  it('says of the next request that servers which have not started yet make it dearer', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS });
    const ports = { hasUnknownTools: () => Promise.resolve(true) };
    const { view, state } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports });
    assert.match(state().verdict?.cost ?? '', /^Will cost ≥ /);
    view.dispose();
  });

  it('shows the next request, as it is being written, and follows what is sent meanwhile', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS });
    const { view, state, request } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: {} });
    assert.equal(request().number, null);
    assert.match(state().verdict?.cost ?? '', /^Will cost /);
    assert.deepEqual(state().chart?.requests, []);
    await session.conversation.send('/long 2');
    await until(() => state().chart?.requests.length === 1 && request().before?.number === 1, 'the sent request');
    view.dispose();
  });

  it('names in the chart a rule that changed, and how many items more', async () => {
    const window = windows.open({ models: BILLED_MODELS });
    const { texts } = window.files;
    texts.set('AGENTS.md', 'In metres.');
    texts.set('a.ts', 'let one;');
    const session = await window.chats.create();
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('/long 3');
    texts.set('AGENTS.md', 'In feet.');
    await session.conversation.send('/long 3');
    texts.set('AGENTS.md', 'In yards.');
    texts.set('a.ts', 'let two;');
    await session.conversation.send('/long 3');
    const shown = requestChart(session.state, session.id).requests.map(({ changed }) => changed);
    assert.deepEqual(shown, [null, 'AGENTS.md', 'AGENTS.md and 1 more']);
  });

  it('compares with the request that the verdict compares with: not with one that failed, and a title with none', async () => {
    const { window, session } = await windows.openChat({ models: BILLED_MODELS }, '/long 20', '/error 401', '/long 3');
    await session.titler.generate();
    const [first = '', , third = '', title = ''] = ids(session);
    const { view, request } = await openInspector(window, session.id, { id: third, ports: {} });
    const ports = diagnosisPorts(window.models, { logError: (error) => window.errors.push(error) });
    assert.equal((await apiDiagnosis(session, third, ports)).comparedWith, first);
    assert.deepEqual(request().before, { id: first, number: 1 });
    await view.show(session.id, title);
    await until(() => request().id === title, 'the request for a title');
    assert.equal(request().before, null);
    view.dispose();
  });

  it('goes on to a request of another chat, and says of one that is gone only that', async () => {
    const window = windows.open({});
    const [session, other] = [await window.chats.create(), await window.chats.create()];
    await session.conversation.send('/long 2');
    await other.conversation.send('/long 3');
    await other.conversation.send('/long 4');
    const [id = ''] = ids(session);
    const { view, state, request } = await openInspector(window, session.id, { id, ports: {} });
    const [, second = ''] = ids(other);
    await view.show(other.id, second);
    await until(() => state().chatId === other.id && state().request?.id === second, 'the request of the other chat');
    assert.deepEqual(column(state().chart?.requests, 'id'), ids(other));
    assert.equal(request().number, 2);
    await view.show('sess_1_gone00', 'x');
    await until(() => state().problem !== null, 'the problem');
    assert.deepEqual([state().problem, state().chart, state().request, state().verdict], ['This chat was deleted.', null, null, null]);
    view.dispose();
  });

  it('says of a request without usage, and of a model that is gone, what is not known', async () => {
    const { window, session } = await windows.openChat({}, '/error 401');
    const [id = ''] = ids(session);
    const { view, state, request } = await openInspector(window, session.id, { id, ports: { listed: () => null } });
    assert.equal(state().verdict?.cost, 'Cost unknown');
    assert.equal(request().source, 'counted');
    assert.equal(request().model, 'practice/standard');
    assert.ok(request().blocks.every(({ cache, price }) => cache === null && price === null));
    assert.ok(request().notes.length > 0, 'why it failed');
    view.dispose();
  });

  it('says in the block what is missing of a torn record, and shows the others', async () => {
    const window = windows.open({});
    window.files.texts.set('large.txt', 'A line of a file that is too large for the log.\n'.repeat(1_000));
    const session = await window.chats.create();
    await session.context.add({ type: 'file', name: 'large.txt', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('Read it');
    const blobs = join(window.folder, 'chats', session.id, 'blobs');
    assert.ok((await readdir(blobs)).length > 0);
    await rm(blobs, { recursive: true });
    const [id = ''] = ids(session);
    const { view, request, detail, ask } = await openInspector(window, session.id, { id, ports: {} });
    const torn = request().blocks.findIndex(({ problem }) => problem !== null);
    assert.equal(request().blocks[torn]?.name, 'large.txt');
    assert.equal(request().blocks.filter(({ problem }) => problem !== null).length, 1);
    await ask({ block: torn, detail: 'text' }, ({ detail: shown }) => shown?.block === torn);
    assert.equal(detail().note, request().blocks[torn]?.problem);
    await ask({ block: torn, detail: 'payload' }, ({ detail: shown }) => shown?.kind === 'payload');
    assert.notEqual(detail().note, '');
    assert.deepEqual(detail().lines, []);
    view.dispose();
  });
});
