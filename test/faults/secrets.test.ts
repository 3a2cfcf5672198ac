import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('a SecretStorage that fails', () => {
  // The only model needs no key. Whoever makes this fail keeps a key: then a failure of the storage must ask for it
  // again and store nothing elsewhere, and this test gives way to one of that.
  it('stops nothing: nothing is kept there', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.ok(sources.length > 50);
    const users = sources.filter((name) => /\bsecrets\b|SecretStorage/.test(readFileSync(join('src', name), 'utf8')));
    assert.deepEqual(users, []);
  });
});
