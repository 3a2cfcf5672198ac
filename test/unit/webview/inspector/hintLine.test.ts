import assert from 'node:assert/strict';
import type { InspectorHint } from '../../../../src/protocol/inspector/inspector.js';
import { hintLine } from '../../../../webview/inspector/inspectorHead.js';
import { markup } from '../../../support/webview/markup.js';

describe('The hint of a verdict', () => {
  const line = (change: Partial<InspectorHint>): string =>
    markup(hintLine({ text: 'Another layout would have cost less.', offer: null, done: '', ...change }, () => undefined));

  it('has a button where it can be taken, and one to undo that with what was done', () => {
    assert.match(line({ offer: 'use' }), /Another layout would have cost less\..*Use this layout from now on/s);
    assert.match(line({ offer: 'undo', done: 'This chat has it now.' }), /role="status">This chat has it now\..*Undo/s);
    assert.doesNotMatch(line({}), /button/);
  });
});
