import assert from 'node:assert/strict';
import { missingKey } from '../../../../src/host/models/providers/missingKey.js';
import { parseProvider } from '../../../../src/host/models/providers/parseProviders.js';
import { KeyRig } from '../../../support/host/secrets.js';

const CLOUD = { id: 'cloud', label: 'Cloud', protocol: 'anthropic', baseUrl: 'https://example.com/v1', models: [{ id: 'm' }] };

describe('that no key goes along with the requests to a provider', () => {
  const told = (rig: KeyRig, change: object): Promise<string | null> => {
    const { provider } = parseProvider({ ...CLOUD, ...change }, 'provider');
    assert.ok(provider !== null);
    return missingKey({ provider: 'cloud', model: 'm' }, { keys: rig.keys, configured: { configs: () => [provider] } });
  };

  it('is told until one is stored, without a question', async () => {
    const rig = new KeyRig();
    assert.equal(await told(rig, {}), 'Loupe has no stored key for Cloud.');
    await rig.keys.set(CLOUD, 'the-key');
    assert.equal(await told(rig, {}), null);
    assert.match((await told(rig, { baseUrl: 'https://elsewhere.example' })) ?? '', /https:\/\/example\.com/);
    rig.secrets.failing = true;
    assert.notEqual(await told(rig, {}), null);
    assert.deepEqual(rig.asked, []);
  });

  it('is not told of servers of this computer, and of what is not configured', async () => {
    const rig = new KeyRig();
    assert.equal(await told(rig, { baseUrl: 'http://localhost:11434' }), null);
    assert.equal(await told(rig, { id: 'other' }), null);
  });
});
