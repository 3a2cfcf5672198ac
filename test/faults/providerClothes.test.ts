import assert from 'node:assert/strict';
import { DIALECTS } from '../support/faults/dialects.js';
import { outline, useHouses } from '../support/faults/house.js';
import { answer, EVENT_STREAM, events, json } from '../support/http/answers.js';
import type { Step } from '../support/http/faultServer.js';

const BILLED = ' The request may have been billed, so Loupe did not repeat it.';
const HTML = { 'content-type': 'text/html' };

/** Answers with status 200 that are no replies, the note about them, and the server's words in its details. */
const CLOTHES: readonly (readonly [what: string, script: Step[], note: string, detail: RegExp | null])[] = [
  [
    'an error as JSON',
    json(200, { error: { message: 'The queue is full, the-key.', code: 503 } }),
    `House AI is overloaded or unavailable right now (HTTP 503).${BILLED}`,
    /The queue is full, \[key\]\./,
  ],
  [
    'an error as a list',
    json(200, [{ error: { code: 400, message: 'No such thing, THE-KEY.', status: 'INVALID_ARGUMENT' } }]),
    'House AI rejected the request (HTTP 400). See Details.',
    /No such thing, \[key\]\./,
  ],
  [
    'an error with a code of its own',
    json(200, { base_resp: { status_code: 2013, status_msg: 'invalid params' } }),
    'House AI reported an error in its answer. See Details.',
    /2013: invalid params/,
  ],
  [
    'an error as an event of text',
    events('event: error\ndata: upstream went away\n\n'),
    'House AI reported an error in its answer. See Details.',
    /upstream went away/,
  ],
  [
    'text',
    answer(200, EVENT_STREAM, 'Busy, the-key.'),
    'House AI sent something that Loupe cannot read as a reply. See Details.',
    /Busy, \[key\]\./,
  ],
  [
    'a page',
    answer(200, HTML, '<html><title>Log in to the office</title></html>'),
    'House AI sent a web page instead of an answer. Check the base URL. See Details.',
    /a page with the title "Log in to the office"/,
  ],
  ['nothing', answer(200, EVENT_STREAM, ''), `House AI sent an empty reply.${BILLED}`, null],
  ['only comments and an end', events(': wait\n\n', 'data: [DONE]\n\n'), `House AI sent an empty reply.${BILLED}`, null],
];

for (const dialect of DIALECTS) {
  describe(`errors in other clothes (${dialect.protocol})`, () => {
    const houses = useHouses();

    for (const [what, script, note, detail] of CLOTHES) {
      it(`46. ${what} with status 200: is told in the words of the server, and not repeated unasked`, async () => {
        houses.server.play(...script);
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${note}`]);
        const { note: shown } = house;
        assert.equal(shown?.actions.includes('retry'), true);
        assert.equal(houses.server.requests.length, 1);
        if (detail !== null) {
          assert.match(shown.detail ?? '', detail);
        }
        assert.equal((await house.test.api.getUsage(house.session.id)).unknownAttempts, 1);
      });
    }
  });
}
