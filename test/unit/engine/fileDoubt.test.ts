import assert from 'node:assert/strict';
import { fileDoubt } from '../../../src/engine/context/fileDoubt.js';

describe('files that Loupe asks about', () => {
  it('are files with the usual names of secrets, but not their templates', () => {
    const secret = ['.env', 'app/.env.local', '.ENV', 'keys/id_ed25519', '.netrc', 'server.pem', 'tls/site.key'];
    const plain = ['.env.example', '.env.sample', 'env.ts', 'id_rsa.pub', 'keyboard.ts', 'docs/pem.md', '.envrc.md'];
    assert.deepEqual(
      secret.map((path) => fileDoubt(path, '', false)),
      secret.map(() => ({ code: 'secret', by: 'name' })),
    );
    assert.deepEqual(
      plain.map((path) => fileDoubt(path, '', false)),
      plain.map(() => null),
    );
  });

  it('are files whose text has the form of a key', () => {
    const block = ['-----BEGIN', 'OPENSSH PRIVATE', 'KEY-----'].join(' ');
    const token = ['gh', 'p_', 'A1'.repeat(18)].join('');
    for (const text of [block, `token = "${token}"`]) {
      assert.deepEqual(fileDoubt('notes.md', `one\n${text}\n`, false), { code: 'secret', by: 'text' });
    }
    assert.equal(fileDoubt('notes.md', 'A private key begins with BEGIN PRIVATE KEY.', false), null);
  });

  it('are files of more than about 50,000 tokens', () => {
    assert.deepEqual(fileDoubt('app.po', 'x'.repeat(150_003), false), { code: 'large', tokens: 50_001 });
    assert.deepEqual(fileDoubt('.env', 'x'.repeat(150_003), true), { code: 'large', tokens: 50_001 }, 'with allowed secrets');
    assert.equal(fileDoubt('app.po', 'x'.repeat(150_000), false), null);
  });
});
