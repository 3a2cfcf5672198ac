import assert from 'node:assert/strict';
import { withinTime } from '../../../../src/host/tools/vscode/longestCall.js';

const NEVER = new AbortController().signal;

describe('33. a tool of an extension', () => {
  it('that hangs is cancelled in time, also when it ignores that', async () => {
    let isCancelled = false;
    const hangs = (signal: AbortSignal): Promise<string> =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          isCancelled = true;
        });
      });
    await assert.rejects(
      withinTime('browse', 10, NEVER, hangs),
      /^LoupeError: The tool "browse" took more than 1 minute\. Loupe cancelled it\.$/,
    );
    assert.equal(isCancelled, true);
  });

  it('that the user stops ends at once, and one that ends in time gives its result', async () => {
    const stop = new AbortController();
    const stopped = withinTime('browse', 60_000, stop.signal, () => new Promise(() => undefined));
    stop.abort(new Error('stopped by the user'));
    await assert.rejects(stopped, /stopped by the user/);
    assert.equal(await withinTime('browse', 60_000, NEVER, () => Promise.resolve('done')), 'done');
    await assert.rejects(
      withinTime('browse', 60_000, NEVER, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  });
});
