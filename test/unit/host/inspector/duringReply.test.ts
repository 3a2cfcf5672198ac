import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openQuestions } from '../../../../src/engine/chat/openQuestions.js';
import { AWAITS_REPLY } from '../../../../src/host/request/verdict/verdict.js';
import { NEXT_REQUEST } from '../../../../src/protocol/inspector/inspector.js';
import { column } from '../../../support/columns.js';
import { BILLED_MODELS } from '../../../support/host/billedModels.js';
import { until } from '../../../support/host/clocks.js';
import { openInspector } from '../../../support/host/openInspector.js';
import { openStreaming } from '../../../support/host/streaming.js';
import { EchoServer, toolboxWith } from '../../../support/host/toolServer.js';
import { useWindows } from '../../../support/host/window.js';

describe('the next request in the Request Inspector during a reply', () => {
  const windows = useWindows();

  it('has no price and no cache use until the reply is in it', async () => {
    const { window, session, finish } = await openStreaming(windows, { models: BILLED_MODELS }, '/long 100', 0);
    const { view, state, request } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: {} });
    const { awaitsReply, purpose, parts, inputPrice, blocks } = request();
    assert.deepEqual([awaitsReply, purpose, parts, inputPrice], [true, 'after this reply', null, null]);
    assert.ok(blocks.every(({ cache, price }) => cache === null && price === null));
    assert.deepEqual(state().verdict, AWAITS_REPLY);
    assert.equal(state().chart?.unknown, 1, 'the usage of the reply is not known yet');
    await finish();
    await until(() => state().request?.awaitsReply === false, 'the next request after the reply');
    assert.match(state().verdict?.cost ?? '', /^Will cost /);
    assert.equal(state().chart?.unknown, 0);
    view.dispose();
  });

  it('has no result of a call that waits for the user, and does not call it failed', async () => {
    const toolbox = toolboxWith([new EchoServer('files', 'write')], join(windows.folder, 'allowed'));
    const { window, session } = await windows.openChat({ toolbox });
    const sent = session.conversation.send('/tool files__write {"path":"a"}');
    await until(() => openQuestions(session.state).length === 1, 'the question');
    const { view, request, detail } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: {} });
    const results = request().blocks.filter(({ name }) => name.startsWith('Result of '));
    assert.deepEqual([column(results, 'name'), column(results, 'why')], [['Result of files__write'], ['no result yet']]);
    assert.deepEqual(column(detail().lines, 'text'), ['The call has not ended yet.']);
    await session.conversation.stop();
    await sent;
    await until(() => request().blocks.some(({ name }) => name === 'Result of files__write, failed'), 'the result of the stopped call');
    view.dispose();
  });
});
