import assert from 'node:assert/strict';
import { join } from 'node:path';
import { contextRecordsOf } from '../../../src/engine/request/rebuild.js';
import type { Model } from '../../../src/engine/model/model.js';
import { nextDocument } from '../../../src/host/documents/requestContent.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { PRACTICE_SMALL, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import type { ToolSection } from '../../../src/protocol/panel/manager.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { until } from '../../support/host/clocks.js';
import { beginWithTools, openPanel, type TestPanel } from '../../support/host/panel.js';
import { lastAttempt, lastReply } from '../../support/host/reading.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const PLAIN: Model = {
  ...PRACTICE_SMALL,
  label: 'Plain',
  capabilities: { ...PRACTICE_SMALL.capabilities, tools: false, toolsOnDemand: false },
};

const SENTENCE = '2 tools are not offered, because Plain takes none.';

class StoppedServer extends EchoServer {
  starts = 0;

  override start(): Promise<void> {
    this.starts += 1;
    return Promise.resolve();
  }
}

describe('a model without tools in a chat with tools', () => {
  const windows = useWindows();
  let files: StoppedServer;
  let window: Window;
  let test: TestPanel;
  let session: ChatSession;

  beforeEach(async () => {
    files = new StoppedServer('files', 'list', 'read');
    const toolbox = toolboxWith([files], join(windows.folder, 'allowed'));
    window = windows.open({ files: new MemoryFiles(), toolbox, models: [PRACTICE_STANDARD, PLAIN] });
    test = openPanel(window, { currentChat: undefined });
    session = await beginWithTools(test, 'files');
    await shows('the tools', ({ contextTotal }) => contextTotal.tools === 2);
  });

  const state = (): PanelState => test.webview.state;
  const shows = (what: string, is: (view: PanelState) => boolean): Promise<void> => until(() => is(state()), what);
  const section = (): ToolSection => state().manager?.tools ?? assert.fail('There are no tools.');
  const boxes = (): readonly unknown[] =>
    section().servers.flatMap(({ state: box, held, total, tools }) => [
      [box, held, total],
      ...(tools ?? []).map(({ name, state: own, note }) => [name, own, note]),
    ]);

  async function switchTo({ ref, label }: Model): Promise<void> {
    await session.changeConfig({ model: ref });
    const offers = ref === PLAIN.ref ? 0 : 2;
    await shows(label, ({ contextTotal, nextRequest }) => nextRequest !== null && contextTotal.tools === offers);
  }

  it('says in Next request, at the chip and in the list of tools that they are not offered, and offers them again after a switch', async () => {
    assert.deepEqual(state().nextRequest?.adaptations, []);
    const before = boxes();
    await switchTo(PLAIN);
    const { nextRequest, nextRequestRows, contextTotal } = state();
    const { notOffered, held, total, tokens } = section();
    assert.deepEqual(nextRequest?.adaptations, [SENTENCE]);
    assert.deepEqual([nextRequest.warnings, nextRequest.unknownServers], [[], []]);
    assert.deepEqual([contextTotal.tools, contextTotal.toolsNotOffered], [0, 2]);
    assert.deepEqual([notOffered, held, total, tokens], [SENTENCE, 0, 2, 0]);
    assert.deepEqual(boxes(), [
      ['in', 0, 2],
      ['list', 'in', null],
      ['read', 'in', null],
    ]);
    assert.deepEqual([nextRequestRows?.available.tool, nextRequestRows?.servers, nextRequestRows?.notSelected.total], [2, [], 0]);
    assert.deepEqual(
      nextRequestRows?.blocks.filter(({ category }) => category === 'tools'),
      [],
    );
    assert.deepEqual(window.model.bodies, [], 'nothing was sent');
    await switchTo(PRACTICE_STANDARD);
    assert.deepEqual([state().nextRequest?.adaptations, boxes(), section().notOffered], [[], before, null]);
    assert.match((await test.api.previewNextRequest(session.id)).body, /Does list/);
  });

  it('says so in the exact request and in the API, and is expected to call none', async () => {
    await switchTo(PLAIN);
    const preview = await test.api.previewNextRequest(session.id);
    assert.deepEqual(preview.adaptations, [SENTENCE]);
    assert.doesNotMatch(preview.body, /Does list/);
    const composed = await session.next.preview({ text: '', editing: null });
    assert.deepEqual([composed.context.tools, composed.turn], [[], null]);
    const document = nextDocument(composed, { isEmpty: true, isReplying: false });
    assert.ok(document.includes(SENTENCE), 'the exact request says so');
  });

  it('gets none of them, and the record says so: the request is the same bytes when the log rebuilds it', async () => {
    await session.conversation.send('Hello');
    await switchTo(PLAIN);
    assert.deepEqual(state().nextRequest?.warnings, [], 'no server has changed its tools');
    await session.conversation.send('What can you do?');
    const body = window.model.bodies.at(-1) ?? '';
    assert.doesNotMatch(body, /Does list/);
    const attempt = lastAttempt(session.state);
    assert.equal(attempt.manifest.adaptations.toolsLeftOut, 2);
    const request = await test.api.getRequest(session.id, lastReply(session.state).id);
    assert.deepEqual([request.body === body, request.exact, request.note], [true, true, null]);
    assert.deepEqual(
      contextRecordsOf(attempt, session.state.attempts)?.map(({ item, leftOut }) => [item.name, leftOut?.code]),
      [
        ['list', 'noTools'],
        ['read', 'noTools'],
      ],
    );
    const { id } = attempt;
    await test.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [id], manager: null });
    await shows('the context of the reply', ({ contextRows }) => contextRows[id] !== undefined);
    assert.deepEqual(state().contextRows[id]?.adaptations, ['2 tools are not offered, because small takes none.']);
    await switchTo(PRACTICE_STANDARD);
    assert.deepEqual(state().nextRequest?.warnings, [], 'they are the same tools');
    await session.conversation.send('And now?');
    assert.match(window.model.bodies.at(-1) ?? '', /Does list/);
  });

  it('starts no server for its message', async () => {
    files.status = 'stopped';
    files.tools = [];
    await session.changeConfig({ model: PLAIN.ref });
    await session.conversation.send('Hello');
    assert.equal(files.starts, 0);
    await session.changeConfig({ model: PRACTICE_STANDARD.ref });
    await session.conversation.send('Hello');
    assert.equal(files.starts, 1);
  });
});
