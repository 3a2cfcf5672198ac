import assert from 'node:assert/strict';
import { DIALECTS } from '../support/faults/dialects.js';
import { KEY, useHouses } from '../support/faults/house.js';
import { exported } from '../support/host/exported.js';
import { spansIn } from '../support/host/spans.js';
import { filesIn } from '../support/host/transfer.js';
import { json } from '../support/http/answers.js';

for (const dialect of DIALECTS) {
  describe(`an export of a chat whose provider has a key (${dialect.protocol})`, () => {
    const houses = useHouses();

    it('has the key in no format, though the server quoted it', async () => {
      houses.server.play(...json(401, dialect.errorBody('authentication_error', `Incorrect API key provided: ${KEY}. Bearer ${KEY}`)));
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      houses.playText(dialect, 'Welcome.');
      await house.retry();
      const { session, window } = house;
      assert.ok(
        houses.server.requests.some(({ request }) => JSON.stringify([...request.headers]).includes(KEY)),
        'the key was in play',
      );
      for (const format of ['markdown', 'jsonLines', 'zip', 'openTelemetry', 'openTelemetryWithTexts'] as const) {
        const { bytes, missing } = await exported(session, format, window, {});
        const files = format === 'zip' ? [...(await filesIn(bytes)).values()] : [bytes];
        assert.deepEqual(missing, []);
        assert.ok(
          files.every((file) => file.length > 0 && !file.includes(KEY)),
          format,
        );
      }
    });

    it('has the server and the status of a request that failed over HTTP in its span', async () => {
      houses.server.play(...json(401, dialect.errorBody('authentication_error', 'No.')));
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      houses.playText(dialect, 'Welcome.');
      await house.retry();
      const [failed, answered] = spansIn((await exported(house.session, 'openTelemetry', house.window, {})).bytes);
      const address = new URL(houses.server.url);
      for (const span of [failed, answered]) {
        assert.deepEqual(
          ['gen_ai.provider.name', 'gen_ai.request.model', 'server.address', 'server.port'].map((name) => span?.attributes[name]),
          ['house', 'large', address.hostname, Number(address.port)],
        );
      }
      assert.deepEqual(
        [failed?.attributes['error.type'], failed?.status['code'], answered?.attributes['error.type']],
        ['401', 2, undefined],
      );
    });
  });
}
