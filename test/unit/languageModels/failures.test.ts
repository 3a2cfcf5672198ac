import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import { lmError } from '../../../src/host/models/languageModels/languageModelClient.js';
import { FakeModel } from './fakes.js';
import { failureOf } from '../../support/failures.js';

const MODEL = new FakeModel('echo');
const WHO = '"ECHO" (acme in VS Code)';

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('a failure of a language model of VS Code', () => {
  const known: readonly (readonly [string, Error, ErrorKind, string])[] = [
    [
      'consent denied',
      coded('NoPermissions', ''),
      'auth',
      `Loupe has no permission to use ${WHO}. Allow it with the command "Manage Language Model Access..." (also in the Accounts menu), or when VS Code asks at the next message.`,
    ],
    [
      'too many requests of the extension',
      coded('Blocked', 'Try later.'),
      'rateLimit',
      `${WHO} is not accepting requests right now. (Try later.)`,
    ],
    ['too many requests', named('ChatRateLimited', ''), 'rateLimit', `${WHO}: Rate limit reached.`],
    [
      'a model that has gone',
      coded('NotFound', 'Unknown model.'),
      'modelGone',
      `${WHO} is no longer available. Choose another model. (Unknown model.)`,
    ],
    [
      'a used-up allowance',
      named('ChatQuotaExceeded', 'Upgrade.'),
      'refused',
      `Your quota for ${WHO} is used up. Choose another model. (Upgrade.)`,
    ],
    ['a cancelled reply', named('Canceled', 'Canceled'), 'incomplete', `The reply of ${WHO} broke off. (Canceled)`],
  ];
  for (const [what, thrown, kind, message] of known) {
    it(`is told by its code or name: ${what}`, () => {
      const error = lmError(thrown, MODEL);
      assert.deepEqual([error.kind, error.message, error.cause], [kind, message, thrown]);
    });
  }

  const words: readonly (readonly [string, ErrorKind])[] = [
    ['Message exceeds token limit.', 'contextOverflow'],
    ["This model's maximum context length is 8192 tokens", 'contextOverflow'],
    ['input exceeds the context window', 'contextOverflow'],
    ['{"code":"context_length_exceeded"}', 'contextOverflow'],
    ['prompt is too long: 210000 tokens > 200000 maximum', 'contextOverflow'],
    ['Rate limit reached', 'rateLimit'],
    ['Request failed with status code 429', 'rateLimit'],
    ['Overloaded', 'overloaded'],
    ['503 Service Unavailable', 'overloaded'],
    ['connect ECONNREFUSED 127.0.0.1:11434', 'network'],
    ['TypeError: fetch failed', 'network'],
    ['net::ERR_INTERNET_DISCONNECTED', 'network'],
    ['Cannot have more than 128 tools per request.', 'protocol'],
    ['There are 5030 of them', 'protocol'],
  ];
  for (const [text, kind] of words) {
    it(`is told by its words, ${kind}: ${text}`, () => {
      const error = lmError(new Error(text), MODEL);
      assert.deepEqual([error.kind, error.message], [kind, `${WHO} failed: ${text}`]);
    });
  }

  it('is looked for behind an error that only points at it', () => {
    const pointing = new Error('Language model errored, check cause for more details', { cause: new Error('fetch failed') });
    assert.deepEqual([lmError(pointing, MODEL).kind, lmError(pointing, MODEL).message], ['network', `${WHO} failed: fetch failed`]);
    assert.equal(lmError(new Error('', { cause: coded('Blocked', '') }), MODEL).kind, 'rateLimit');
  });

  it('is told whatever was thrown', () => {
    assert.equal(lmError('no words of mine', MODEL).message, `${WHO} failed: no words of mine`);
    assert.equal(lmError(undefined, MODEL).message, `${WHO} failed.`);
    const circular = new Error('');
    circular.cause = circular;
    assert.equal(lmError(circular, MODEL).message, `${WHO} failed.`);
  });

  it('is a plain sentence where the extension answers null, or fails in its own code', () => {
    const thrown = new TypeError("Cannot read properties of null (reading 'stream')");
    const fault = `${WHO} sent no reply that Loupe can read. The extension that provides the model has a defect. See Details.`;
    for (const each of [thrown, new Error('Language model errored, check cause for more details', { cause: thrown })]) {
      const error = lmError(each, MODEL);
      assert.deepEqual([error.kind, error.message, error.cause], ['protocol', fault, each]);
    }
    assert.equal(lmError(new TypeError('fetch failed'), MODEL).kind, 'network');
  });

  it('stays as it is when it is one of Loupe', () => {
    const error = failureOf('timeout', 'Too late.');
    assert.equal(lmError(error, MODEL), error);
  });
});
