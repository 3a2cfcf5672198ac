import assert from 'node:assert/strict';
import { KeyRig } from '../support/host/secrets.js';
import { rejection } from '../support/rejection.js';

const CLOUD = { id: 'cloud', label: 'Cloud', baseUrl: 'https://example.com' };

describe('a SecretStorage that fails', () => {
  let rig: KeyRig;
  beforeEach(() => {
    rig = new KeyRig();
    rig.secrets.failing = true;
  });
  // Its message quotes its input, as a keyring's can.
  afterEach(() => {
    assert.ok(!rig.said().includes('the-key'), rig.said());
  });

  it('when a key is set: it is held in memory for this window, the user is told, and nothing is stored elsewhere', async () => {
    await rig.keys.set(CLOUD, 'the-key');
    assert.equal(await rig.keys.get(CLOUD), 'the-key');
    assert.equal(rig.secrets.values.size, 0);
    assert.deepEqual(rig.told, [
      "VS Code's secret storage failed. Loupe keeps the key of Cloud only until this window closes. After that, enter the key again.",
    ]);
    const [error] = rig.errors;
    assert.deepEqual([error?.kind, error?.message], ['storage', 'VS Code could not store the key of Cloud.']);
    assert.match(String(error?.cause), /the keyring is locked: loupe\.key\.cloud .*\[key\]/);
    // Another window does not know it.
    assert.equal(await new KeyRig().keys.get(CLOUD), null);
  });

  it('when a key is read: the user is asked once, and the answer is held in memory only', async () => {
    rig.answer = 'the-key';
    assert.deepEqual([await rig.keys.get(CLOUD), await rig.keys.get(CLOUD)], ['the-key', 'the-key']);
    assert.deepEqual(rig.asked, ["VS Code's secret storage failed. The key of Cloud could not be read."]);
    assert.equal(rig.told.length, 1);
    assert.equal(rig.errors[0]?.message, 'VS Code could not read the key of Cloud.');
    rig.secrets.failing = false;
    assert.equal(await rig.keys.get(CLOUD), 'the-key');
    assert.equal(rig.secrets.values.size, 0);
  });

  it('when a key is read and the user gives none: the request fails, and the next one asks again', async () => {
    for (const answer of [null, '']) {
      rig.answer = answer;
      const error = await rejection(rig.keys.get(CLOUD));
      assert.deepEqual(
        [error.kind, error.message],
        [
          'auth',
          "VS Code's secret storage failed. The key of Cloud could not be read. Loupe sends no request until you enter the key again.",
        ],
      );
    }
    assert.equal(rig.asked.length, 2);
  });

  it('when a key is removed: the user hears that it is still there, and what was in memory is gone', async () => {
    await rig.keys.set(CLOUD, 'the-key');
    const error = await rejection(rig.keys.remove(CLOUD));
    assert.deepEqual([error.kind, error.message], ['storage', "VS Code's secret storage failed. The key of Cloud was not removed."]);
    rig.secrets.failing = false;
    assert.equal(await rig.keys.get(CLOUD), null);
  });

  it('and works again: a key that is set then is stored, and no longer held in memory', async () => {
    await rig.keys.set(CLOUD, 'the-key');
    rig.secrets.failing = false;
    await rig.keys.set(CLOUD, 'new-key');
    rig.secrets.values.clear();
    assert.equal(await rig.keys.get(CLOUD), null);
  });

  it('with something else at the place of a key: the user is asked, and no message quotes it', async () => {
    rig.secrets.failing = false;
    rig.answer = 'new-key';
    for (const stored of ['the-key', '"the-key"', '{"key":"the-key"}', '[]', 'null', '']) {
      const other = { ...CLOUD, id: `id${String(stored.length)}` };
      rig.secrets.values.set(`loupe.key.${other.id}`, stored);
      assert.equal(await rig.keys.get(other), 'new-key', stored);
    }
  });
});
