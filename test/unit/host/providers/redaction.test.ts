import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toErrorRecord } from '../../../../src/engine/errors.js';
import { toModel } from '../../../../src/host/models/providers/configuredProviders.js';
import { endpointOf, PROTOCOL_IDS } from '../../../../src/host/models/providers/providerConfig.js';
import { parseProviders } from '../../../../src/host/models/providers/parseProviders.js';
import { PROTOCOLS } from '../../../../src/host/models/providers/protocols.js';
import { tryModel } from '../../../../src/host/models/providers/setup/tryModel.js';
import { KeyRig } from '../../../support/host/secrets.js';
import { rejection } from '../../../support/rejection.js';

const KEY = 'the-key';

describe('a key that the provider refuses', () => {
  // It sends the key back in all parts of an answer.
  const server = createServer((request, response) => {
    const key = (request.headers['x-api-key'] as string | undefined) ?? request.headers.authorization ?? '';
    response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': key });
    response.end(
      JSON.stringify({
        type: 'error',
        error: { type: 'authentication_error', code: key, message: `No such key: ${key}` },
        request_id: key,
      }),
    );
  });
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const protocol of PROTOCOL_IDS) {
    it(`stands in nothing that is shown or logged, over ${protocol}`, async () => {
      const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
      const [provider] = parseProviders([{ id: 'cloud', protocol, baseUrl, models: [{ id: 'm' }] }], 'p').providers;
      assert.ok(provider);
      const rig = new KeyRig();
      await rig.keys.set(provider, KEY);
      const client = await PROTOCOLS[protocol].loadClient(endpointOf(provider, () => rig.keys.get(provider)));
      const [model] = provider.models;
      assert.ok(model);
      const { signal } = new AbortController();
      const errors = [
        await rejection(client.listModels(signal)),
        await rejection(tryModel({ client, model: toModel(provider, model, PROTOCOLS[protocol]), signal, used: () => Promise.resolve() })),
      ];
      for (const error of errors) {
        assert.equal(error.kind, 'auth');
        // The log gets the record. An editor for errors would show the stack.
        const said = `${JSON.stringify(toErrorRecord(error))}\n${error.stack ?? ''}\n${rig.said()}`;
        assert.ok(!said.includes(KEY), said);
      }
    });
  }
});
