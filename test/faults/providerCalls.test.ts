import assert from 'node:assert/strict';
import { messagesOf } from '../../src/engine/chat/timeline.js';
import { chatText } from '../../src/host/chat/chatText.js';
import { DIALECTS, says, type Said } from '../support/faults/dialects.js';
import { outline, useHouses } from '../support/faults/house.js';
import { EchoTool, runStatuses } from '../support/host/reading.js';
import { chunk, chunkedHead, EVENT_STREAM, events } from '../support/http/answers.js';

const NO_OBJECT = 'are not a JSON object with at most 500 levels';
const BREAKS_OFF = 'end before they are complete. Call it again with shorter arguments, or divide the work into several calls';
const CUT = 'were cut by the output limit of the reply. Call it again with shorter arguments, or divide the work into several calls';

function calls(args: readonly string[], stop: Said['stop']): Said {
  return says({ calls: [{ id: 'call_1', name: 'echo', args }], stop });
}

describe('two objects in the arguments of one call', () => {
  const houses = useHouses();

  it('are two calls, both run and are answered, and the record and the panel say that the second came in the first', async () => {
    const [, dialect] = DIALECTS;
    assert.ok(dialect?.protocol === 'openai-compatible');
    const tools = new EchoTool();
    houses.server.play(...events(...dialect.events(calls(['{"day":1}{"da', 'y":2}'], 'toolCalls'))));
    houses.playText(dialect, 'Both are rainy.');
    const house = await houses.open(dialect, { tools });
    await house.send('What about Monday, and Tuesday?');
    assert.deepEqual(tools.calls, ['{"day":1}', '{"day":2}']);
    const [, reply] = house.shown.entries;
    assert.ok(reply?.kind === 'assistant');
    const marks = (parts: readonly { readonly type: string }[]): unknown[] =>
      parts.flatMap((part) => ('isSplitOff' in part ? [part.isSplitOff] : [null]));
    assert.deepEqual(marks(reply.parts), [false, true]);
    const logged = messagesOf(house.session.state.timeline).find(({ role }) => role === 'assistant');
    assert.ok(logged?.role === 'assistant');
    assert.deepEqual(marks(logged.parts), [null, true]);
    assert.match(chatText(house.session.state), /Called echo with \{"day":2\} \(written in the arguments of the previous call\)/);
    assert.deepEqual([houses.count(1, 'Echo of {"day":1}'), houses.count(1, 'Echo of {"day":2}')], [1, 1]);
  });
});

for (const dialect of DIALECTS) {
  describe(`tool calls that arrive in pieces (${dialect.protocol})`, () => {
    const houses = useHouses();

    describe('9. truncated arguments: the tool does not run, and the model is told', () => {
      for (const [what, args, stop, why] of [
        ['at the output limit', ['{"text": "rm -r', 'f /tmp/x'], 'length', CUT],
        ['at the output limit, before the first byte of them', [], 'length', CUT],
        ['though the model says that it has finished', ['{"text": "half'], 'toolCalls', BREAKS_OFF],
        ['behind a part that is JSON in itself', ['{"a":1}', ',"b"'], 'toolCalls', NO_OBJECT],
        ['to what is JSON but no object', ['"text"'], 'toolCalls', NO_OBJECT],
      ] as const) {
        // In the Messages API a call without any piece has an empty input.
        const expected = `The tool did not run: its arguments ${why}. They were: ${args.join('')}`;
        it(what, async () => {
          const tools = new EchoTool();
          houses.server.play(...events(...dialect.events(calls(args, stop))));
          houses.playText(dialect, 'I will try again.');
          const house = await houses.open(dialect, { tools });
          await house.send('Delete it');
          assert.deepEqual(tools.calls, []);
          assert.deepEqual(runStatuses(house.session.state), ['committed']);
          const entries = outline(house.shown.entries);
          assert.equal(entries[0], 'user: Delete it');
          assert.match(entries[1] ?? '', /^assistant \((?:cutOff|done)\): echo\(/);
          assert.equal((entries[1] ?? '').split(' results: ').at(-1), expected);
          assert.equal(entries[2], 'assistant (done): I will try again.');
          assert.equal(houses.server.requests.length, 2);
          assert.deepEqual([houses.count(1, 'Delete it'), houses.count(1, expected)], [1, 1]);
        });
      }

      it('because the connection was cut: nothing runs, nothing is sent again, and what came is shown', async () => {
        const tools = new EchoTool();
        const open = dialect.events({ ...calls(['{"text": "ha'], null), texts: ['Let me. '] });
        houses.server.play(chunkedHead(200, EVENT_STREAM), ...open.map(chunk), { do: 'cut' });
        const house = await houses.open(dialect, { tools });
        await house.send('Delete it');
        assert.deepEqual(tools.calls, []);
        assert.equal(houses.server.requests.length, 1);
        const [user, reply] = outline(house.shown.entries);
        assert.deepEqual([user, reply], ['user (unsent): Delete it', 'assistant (incomplete): Let me. echo({"text": "ha)']);
        assert.deepEqual(house.note?.actions, ['continue', 'keepReply', 'retry']);
      });
    });

    it('a failure behind a tool that ran keeps the round, and Continue goes on with it without running it again', async () => {
      const tools = new EchoTool();
      houses.server.play(...events(...dialect.events(calls(['{"text":', '"hi"}'], 'toolCalls'))));
      const open = dialect.events(says({ texts: ['It sa'], stop: null }));
      houses.server.play(chunkedHead(200, EVENT_STREAM), ...open.map(chunk), { do: 'cut' });
      const house = await houses.open(dialect, { tools });
      await house.send('Echo hi');
      assert.deepEqual(tools.calls, ['{"text":"hi"}']);
      assert.deepEqual(house.note?.actions, ['continue', 'retry']);
      assert.deepEqual(outline(house.shown.entries).slice(0, -1), [
        'user: Echo hi',
        'assistant (done): echo({"text":"hi"}) results: Echo of {"text":"hi"}',
        'assistant (incomplete): It sa',
      ]);
      houses.playText(dialect, 'It says hi.');
      await house.test.say({ type: 'continue', chatId: house.session.id });
      assert.deepEqual(tools.calls, ['{"text":"hi"}']);
      assert.deepEqual([houses.count(2, 'Echo hi'), houses.count(2, 'Echo of {"text":"hi"}'), houses.count(2, 'It sa')], [1, 1, 0]);
      assert.equal(outline(house.shown.entries).at(-1), 'assistant (done): It says hi.');
    });
  });
}
