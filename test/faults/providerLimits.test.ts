import assert from 'node:assert/strict';
import { column } from '../support/columns.js';
import { DIALECTS } from '../support/faults/dialects.js';
import { LARGE, outline, useHouses, type House } from '../support/faults/house.js';
import { until } from '../support/host/clocks.js';
import type { Banner } from '../../src/protocol/panel/view.js';
import { answer, json } from '../support/http/answers.js';
import type { Step } from '../support/http/faultServer.js';

const RESERVED = 512;
/** The banner that says why a text is back in the message box. */
const refusal = (house: House): Banner | undefined => house.shown.banners[0];

for (const dialect of DIALECTS) {
  describe(`a provider with limits (${dialect.protocol})`, () => {
    const houses = useHouses();
    const invalid = (code: string, message: string): Step[] => json(400, dialect.errorBody(code, message));

    const overflows: readonly [string, Step[], number | null][] =
      dialect.protocol === 'anthropic'
        ? [
            ['"prompt is too long"', invalid('invalid_request_error', 'prompt is too long: 210000 tokens > 9000 maximum'), 9_000],
            [
              'with the output limit',
              invalid(
                'invalid_request_error',
                'input length and `max_tokens` exceed context limit: 8240 + 2133 > 9000, decrease input length',
              ),
              9_000,
            ],
            ['413', json(413, dialect.errorBody('request_too_large', 'Request exceeds the maximum size')), null],
          ]
        : [
            [
              '"maximum context length"',
              invalid(
                'context_length_exceeded',
                "This model's maximum context length is 9000 tokens. However, your messages resulted in 21000 tokens.",
              ),
              9_000,
            ],
            [
              'as llama.cpp says it',
              json(400, {
                error: {
                  code: 400,
                  type: 'exceed_context_size_error',
                  message: 'the request exceeds the available context size',
                  n_prompt_tokens: 21_000,
                  n_ctx: 9_000,
                },
              }),
              9_000,
            ],
            [
              '413 with a page',
              answer(413, { 'content-type': 'text/html' }, '<html><head><title>413 Request Entity Too Large</title></head></html>'),
              null,
            ],
          ];

    async function budgetOf(house: House): Promise<number> {
      return (await house.test.api.previewNextRequest(house.session.id)).budget;
    }

    for (const [what, script, limit] of overflows) {
      it(`11. an overflow (${what}): no loop, the history untouched, the real window learned, a way out offered`, async () => {
        houses.playText(dialect, 'First answer.');
        houses.server.play(...script);
        const house = await houses.open(dialect, {});
        await house.send('First');
        assert.equal(await budgetOf(house), 200_000 - RESERVED);
        await house.send('Too much');
        assert.equal(houses.server.requests.length, 2);
        const size = limit === null ? '' : ' (limit 9,000 tokens)';
        const text = `House AI: The request is too long for this model${size}. Remove files or start a new chat.`;
        assert.deepEqual(outline(house.shown.entries), [
          'user: First',
          'assistant (done): First answer.',
          'user (unsent): Too much',
          `note (failed): ${text}`,
        ]);
        assert.deepEqual(house.note?.actions, ['selectModel', 'retry']);
        const budget = (limit ?? 200_000) - RESERVED;
        assert.equal(await budgetOf(house), budget);
        await until(() => house.test.webview.state.nextRequest?.budget === budget, 'the panel shows the real budget');
        assert.match(house.logLines.join(), /^contextOverflow: House AI: The request is too long/);

        houses.playText(dialect, 'Third answer.');
        await house.send('Small');
        assert.deepEqual([houses.count(2, 'First answer.'), houses.count(2, 'Too much'), houses.count(2, 'Small')], [1, 0, 1]);
      });
    }

    it('11. a request that the learned window cannot hold is not sent at all', async () => {
      const [, script] = overflows[0]!;
      houses.server.play(...script);
      const house = await houses.open(dialect, {});
      const large = 'word '.repeat(10_000);
      await house.send(large);
      await house.retry();
      assert.equal(houses.server.requests.length, 1);
      assert.match(
        refusal(house)?.text ?? '',
        /^The request is too long: 10,\d\d\d tokens, limit 8,488\. Largest parts: your message 10,.* Shorten your message, or choose another model\.$/,
      );
      assert.match(house.logLines.at(-1) ?? '', /^contextOverflow: The request is too long: 10,/);
    });

    for (const [what, script] of [
      ['404', json(404, dialect.errorBody('not_found_error', 'model: large'))],
      ['a text', json(400, dialect.errorBody('invalid_request_error', 'The model `large` does not exist'))],
    ] as const) {
      it(`12. a model that the provider no longer has (${what}): said so, another one offered, not repeated`, async () => {
        houses.playText(dialect, 'While I am here.');
        houses.server.play(...script);
        const house = await houses.open(dialect, {});
        await house.send('First');
        await house.send('Second');
        assert.equal(houses.server.requests.length, 2);
        assert.equal(house.note?.text, 'House AI does not offer this model, or your key does not allow it. Choose another model.');
        assert.deepEqual(house.note.actions, ['selectModel', 'retry']);
        assert.deepEqual(outline(house.shown.entries).slice(0, 3), [
          'user: First',
          'assistant (done): While I am here.',
          'user (unsent): Second',
        ]);
      });
    }

    it('12. a model that is taken out of the settings: the chat stays readable, and says what to do; back again it goes on', async () => {
      houses.playText(dialect, 'While I am here.');
      const house = await houses.open(dialect, {});
      await house.send('First');
      const before = house.settings.configs;
      house.settings.configs = [];
      house.providers.update();
      await house.send('Second');
      assert.equal(houses.server.requests.length, 1);
      const text = 'house/large is no longer available. Choose another model, or add the provider house again.';
      assert.deepEqual(outline(house.shown.entries), ['user: First', 'assistant (done): While I am here.']);
      assert.equal(house.shown.draft.text, 'Second');
      assert.equal(refusal(house)?.text, text);
      assert.deepEqual(column(refusal(house)?.actions, 'label'), ['Choose another model', 'Show log', 'Dismiss']);
      assert.deepEqual(house.logLines, [`modelGone: ${text}`]);
      await house.test.say({ type: 'bannerAction', bannerId: 'failure', action: 'selectModel', argument: '' });
      assert.equal(house.test.asked.at(-1), `model ${house.session.id} undefined`);

      house.settings.configs = before;
      house.providers.update();
      houses.playText(dialect, 'Back.');
      await house.send('Second');
      await until(() => refusal(house) === undefined, 'the next request is composed again');
      assert.equal(house.note, undefined);
      assert.deepEqual([houses.count(1, 'First'), houses.count(1, 'Second')], [1, 1]);
    });

    it('12. a provider without models: chats stay readable, also in a window that never knew it', async () => {
      houses.playText(dialect, 'While I am here.');
      const house = await houses.open(dialect, {});
      await house.send('First');
      house.settings.configs = house.settings.configs.map((config) => ({ ...config, models: [] }));
      house.providers.update();
      const shown = outline(house.shown.entries);
      assert.deepEqual(shown, ['user: First', 'assistant (done): While I am here.']);
      await house.send('Second');
      assert.equal(refusal(house)?.text, 'house/large is no longer available. Choose another model.');
      assert.equal(house.shown.draft.text, 'Second');
      // Checked at the end, because the window that reads the chat then has no such model.
      const listed = house.window.models.list().filter(({ ref }) => ref.model === LARGE.id);
      assert.deepEqual(listed, []);
    });
  });
}
