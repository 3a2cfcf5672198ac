import assert from 'node:assert/strict';
import { settled } from '../../../support/engine/ports.js';
import { KeyRig } from '../../../support/host/secrets.js';
import { rejection } from '../../../support/rejection.js';

const CLOUD = { id: 'cloud', label: 'Cloud', baseUrl: 'https://example.com/v1' };

describe('the keys of providers', () => {
  it('are given to the provider they were set for, and to no other', async () => {
    const { keys } = new KeyRig();
    await keys.set(CLOUD, 'the-key');
    assert.equal(await keys.get(CLOUD), 'the-key');
    assert.equal(await keys.get({ ...CLOUD, id: 'other' }), null);
  });

  it('are in the secret storage, below the id, with the origin they are for', async () => {
    const { keys, secrets } = new KeyRig();
    await keys.set(CLOUD, 'the-key');
    assert.deepEqual([...secrets.values], [['loupe.key.cloud', '{"key":"the-key","origin":"https://example.com"}']]);
    await keys.remove(CLOUD);
    assert.deepEqual([await keys.get(CLOUD), secrets.values.size], [null, 0]);
  });

  it('that were never set are none, and nobody is asked: a server may want none', async () => {
    const rig = new KeyRig();
    assert.equal(await rig.keys.get(CLOUD), null);
    assert.deepEqual(rig.asked, []);
  });

  it('stay with another path of the same address', async () => {
    const { keys } = new KeyRig();
    await keys.set(CLOUD, 'the-key');
    assert.equal(await keys.get({ ...CLOUD, baseUrl: 'https://example.com/v2' }), 'the-key');
  });

  it('never go to another address: the user is asked instead, and the answer belongs to the new one', async () => {
    for (const baseUrl of ['https://elsewhere.example', 'http://example.com/v1', 'https://example.com:8443/v1']) {
      const rig = new KeyRig();
      await rig.keys.set(CLOUD, 'the-key');
      const moved = { ...CLOUD, baseUrl };
      assert.equal(await rig.keys.has(moved), false);
      const error = await rejection(rig.keys.get(moved));
      const why = `The address of Cloud changed from https://example.com to ${new URL(baseUrl).origin}, so Loupe did not send the stored key.`;
      assert.deepEqual(
        [error.kind, error.message, rig.asked],
        ['auth', `${why} Loupe sends no request until you enter the key again.`, [why]],
      );
      rig.answer = 'new-key';
      assert.equal(await rig.keys.get(moved), 'new-key');
      assert.equal(await rig.keys.get(moved), 'new-key');
      assert.equal(rig.asked.length, 2);
    }
  });

  it('wanted in the background are not asked for: nobody waits for them', async () => {
    const rig = new KeyRig();
    await rig.keys.set(CLOUD, 'the-key');
    assert.equal(await rig.keys.getQuietly(CLOUD), 'the-key');
    assert.equal(await rig.keys.getQuietly({ ...CLOUD, id: 'other' }), null);
    rig.answer = 'new-key';
    const moved = await rejection(rig.keys.getQuietly({ ...CLOUD, baseUrl: 'https://elsewhere.example' }));
    rig.secrets.failing = true;
    const unreadable = await rejection(rig.keys.getQuietly(CLOUD));
    assert.deepEqual([moved.kind, unreadable.kind, rig.asked], ['auth', 'auth', []]);
  });

  it('asked for with one address do not go to another one that is wanted meanwhile', async () => {
    const answers: ((key: string) => void)[] = [];
    const rig = new KeyRig(() => new Promise((resolve) => answers.push(resolve)));
    await rig.keys.set(CLOUD, 'the-key');
    const first = rig.keys.get({ ...CLOUD, baseUrl: 'https://first.example' });
    const second = rig.keys.get({ ...CLOUD, baseUrl: 'https://second.example' });
    await settled();
    assert.equal(answers.length, 2);
    answers.forEach((answer, index) => {
      answer(`key-${index + 1}`);
    });
    assert.deepEqual(await Promise.all([first, second]), ['key-1', 'key-2']);
  });

  it('wanted by several requests at once are asked for once', async () => {
    const rig = new KeyRig();
    await rig.keys.set(CLOUD, 'the-key');
    rig.answer = 'new-key';
    const moved = { ...CLOUD, baseUrl: 'https://elsewhere.example' };
    assert.deepEqual(await Promise.all([rig.keys.get(moved), rig.keys.get(moved)]), ['new-key', 'new-key']);
    assert.equal(rig.asked.length, 1);
  });
});
