import assert from 'node:assert/strict';
import { failure } from '../../../../src/engine/errors.js';
import { type Action, cancel, pick, type } from './scriptedWizard.js';
import { SetupRig } from './setupRig.js';

const PROTOCOL = pick('Other server with the Anthropic API');
const upToKey = (key: string): Action[] => [PROTOCOL, type('Cloud'), type('https://example.com'), type(key)];

describe('the address of a provider', () => {
  let rig: SetupRig;
  beforeEach(() => {
    rig = new SetupRig();
  });

  it('gives an address of the chosen protocol as the example', async () => {
    await rig.run(...upToKey('the-key'), cancel);
    assert.ok(rig.wizard.shown.some(({ text }) => text === 'Base URL of the API, for example https://api.anthropic.com'));
  });

  it('offers to change the address first where its port is blocked', async () => {
    rig.listed = failure('connection.badPort', { label: 'Cloud', address: 'example.com:6000', host: 'example.com' });
    await rig.run(...upToKey('the-key'), cancel);
    assert.deepEqual(rig.wizard.shown.at(-1)?.choices[0], 'Change address');
  });
});
