import assert from 'node:assert/strict';
import type { PartView } from '../../src/protocol/panel/entries.js';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { useHouses, type House } from '../support/faults/house.js';
import { chunk, chunkedHead, EVENT_STREAM } from '../support/http/answers.js';
import { Gate } from '../support/http/gate.js';

function parts({ shown }: House): [string, string][] {
  const reply = shown.entries.findLast((entry) => entry.kind === 'assistant');
  assert.ok(reply?.kind === 'assistant');
  return reply.parts.map((part: PartView) => [part.type, part.type === 'toolCall' ? part.args : 'text' in part ? part.text : part.blob]);
}

describe('reasoning that only its end tells', () => {
  const houses = useHouses();
  const [, dialect] = DIALECTS;
  assert.ok(dialect?.protocol === 'openai-compatible');

  it('moves out of the reply that is shown when its tag comes, and later requests do not hold it', async () => {
    const gate = new Gate();
    const stream = dialect.events(says({ texts: ['First a ', 'plan.', '\n</th', 'ink>\n', '\nHel', 'lo'], usage: dialect.usage }));
    const at = stream.findIndex((event) => event.includes('</th'));
    houses.server.play(
      chunkedHead(200, EVENT_STREAM),
      ...stream.slice(0, at).map(chunk),
      { do: 'wait', until: gate.opened },
      ...stream.slice(at).map(chunk),
      { do: 'send', bytes: '0\r\n\r\n' },
    );
    houses.playText(dialect, 'Yes.');
    const house = await houses.open(dialect, {});
    const sent = house.send('Say hello');
    await house.showing('First a plan.');
    gate.open();
    await sent;
    const expected = [
      ['reasoning', 'First a plan.\n'],
      ['text', '\n\nHello'],
    ];
    assert.deepEqual(parts(house), expected);
    assert.equal(house.test.webview.replyText, '\n\nHello', 'the panel has it so by its deltas alone');
    await house.send('Again?');
    assert.deepEqual([houses.count(1, 'First a plan.'), houses.count(1, 'Hello')], [0, 1]);
  });
});
