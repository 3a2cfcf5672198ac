import assert from 'node:assert/strict';
import { keepingState } from '../../../webview/shared/vscodeApi.js';

describe('what a page remembers', () => {
  it('keeps what other parts of the page have remembered, whatever was there', () => {
    let kept: unknown = 'of another version';
    const api = keepingState<string>({
      postMessage: () => undefined,
      getState: () => kept,
      setState: (state) => {
        kept = state;
      },
    });
    api.setState({ open: ['a'] });
    api.setState({ chatId: 'x' });
    api.setState({ open: [] });
    assert.deepEqual(api.getState(), { open: [], chatId: 'x' });
  });
});
