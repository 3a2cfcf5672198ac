import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseToHost, type ToHost } from '../../src/protocol/panel/toHost.js';
import { CODE_POINT } from '../support/codePoint.js';
import { depth } from '../support/depth.mjs';
import { NAUGHTY_STRINGS } from '../support/engine/naughtyStrings.js';
import { inRuns } from '../support/forAll.js';

const TYPES = ['ready', 'draft', 'send', 'changeSetting', 'dropFiles', 'bannerAction', 'newFile', 'webviewError'];
const naughty = fc.constantFrom(...NAUGHTY_STRINGS);

/** A message with known type and member names, and any values. */
const halfRight = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.dictionary(fc.constantFrom('chatId', 'text', 'edit', 'name', 'value', 'uris', 'action', 'extra'), fc.oneof(fc.jsonValue(), naughty)),
  )
  .map(([type, members]) => ({ ...members, type }));

/** Checks that a value is either taken unchanged or refused with a reason. */
function assertJudged(value: unknown): void {
  const parsed = parseToHost(value);
  if (parsed.ok) {
    assert.deepEqual(parsed.message, value);
  } else {
    assert.notEqual(parsed.reason, '');
  }
}

describe('anything that the panel may post', () => {
  it('is taken as it is or refused with a reason, and never fails', () => {
    inRuns(depth({ short: 250, deep: 5_000 })).forAll(fc.oneof(fc.anything(), fc.jsonValue(), halfRight), (value) => {
      const parsed = parseToHost(value);
      assert.ok(parsed.ok || parsed.reason !== '');
    });
  });

  it('comes through unchanged when it is taken', () => {
    inRuns(depth({ short: 250, deep: 5_000 })).forAll(
      fc.oneof(halfRight, fc.record({ type: fc.constant('send'), chatId: naughty, text: fc.string({ unit: CODE_POINT }) })),
      (value) => {
        assertJudged(JSON.parse(JSON.stringify(value)));
      },
    );
  });
});

describe('naughty strings', () => {
  it('are taken as texts, unchanged', () => {
    for (const text of NAUGHTY_STRINGS) {
      const message: ToHost = { type: 'send', chatId: 'x', text };
      assert.deepEqual(parseToHost(message), { ok: true, message });
    }
  });

  it('are refused as types and as members, and never fail', () => {
    for (const text of NAUGHTY_STRINGS) {
      assert.equal(parseToHost({ type: text }).ok, false);
      assert.equal(parseToHost(JSON.parse(`{"type":"ready",${JSON.stringify(text)}:1}`)).ok, false);
    }
  });
});
