import assert from 'node:assert/strict';
import { arrange } from '../../../src/engine/request/arrange.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { fittedRequest, type FitInput } from '../../../src/engine/request/fit.js';
import { ALL_SHOWN, type ShownLines } from '../../../src/engine/request/shownFiles.js';
import type { UnmeasuredRequest, Request } from '../../../src/engine/request/request.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { assistant, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN, withFiles } from '../../support/engine/requests.js';

const LINE = 'nine char\n';
const EXACT = { ...withCapabilities(OPEN_MODEL, { counterIsExact: true }), maxInputTokens: null };
const ESTIMATED = { ...withCapabilities(OPEN_MODEL, { counterIsExact: false }), maxInputTokens: null };

/** 10,000 characters of a file in a budget of 6,400. */
const INPUT: FitInput = {
  ...PLAIN,
  model: EXACT,
  ...withFiles({ a: LINE.repeat(1_000) }),
  config: { maxPromptTokens: 6_400, reservedResponseTokens: 0 },
  calibration: UNCALIBRATED,
  countByProvider: () => null,
};

function fit(change: Partial<FitInput>): Request {
  const [input, factory] = [{ ...INPUT, ...change }, new BlockFactory(characters, sha256)];
  return fittedRequest(input, arrange(input, factory), factory);
}

function linesOf({ cuts }: Request): number | null {
  return cuts.get('file:a')?.lines ?? null;
}

function holding(lines: number | null): ShownLines {
  return lines === null ? ALL_SHOWN : new Map([['a', lines]]);
}

describe('a request whose files do not all fit', () => {
  it('leaves a quarter of their room to the messages that follow, which hold the cut until that is used up', () => {
    const first = fit({});
    const room = first.budget - (first.size.counted - (first.cuts.get('file:a')?.tokens ?? 0));
    const share = (first.cuts.get('file:a')?.tokens ?? 0) / room;
    assert.ok(share > 0.72 && share <= 0.75, String(share));
    const said = (length: number): Request =>
      fit({ shownLines: holding(linesOf(first)), messages: [user('u', 'Hello'), assistant('a', 'x'.repeat(length)), user('v', 'And?')] });
    const most = first.budget - said(1).size.tokens + 1;
    assert.equal(linesOf(said(most)), linesOf(first));
    const cutAgain = said(most + 1);
    assert.ok((linesOf(cutAgain) ?? 0) < (linesOf(first) ?? 0));
    assert.ok(cutAgain.size.tokens <= cutAgain.budget);
  });

  it('is cut the same while a message is typed, but for a few steps', () => {
    const shown = Array.from({ length: 200 }, (_, length) => linesOf(fit({ messages: [user('u', 'x'.repeat(length + 1))] })));
    assert.ok(new Set(shown).size <= 3, [...new Set(shown)].join());
  });

  it('holds a cut until twice as much has room, or all of it', () => {
    const held = linesOf(fit({})) ?? 0;
    const shownBy = (maxPromptTokens: number): number | null =>
      linesOf(fit({ shownLines: holding(held), config: { maxPromptTokens, reservedResponseTokens: 0 } }));
    assert.equal(shownBy(8_000), held);
    assert.equal(shownBy(11_000), held);
    assert.ok((shownBy(13_000) ?? 0) >= 2 * held);
    assert.equal(shownBy(16_000), null);
    // All of it has room, though only a little was cut.
    assert.equal(linesOf(fit({ shownLines: holding(900), config: { maxPromptTokens: 16_000, reservedResponseTokens: 0 } })), null);
  });

  it('holds a cut beside a file that is shown whole, and lets it grow beside one that has no lines to show', () => {
    const of = (files: Readonly<Record<string, string>>, shownLines: ShownLines, maxPromptTokens: number): Request =>
      fit({ ...withFiles(files), shownLines, config: { maxPromptTokens, reservedResponseTokens: 0 } });
    const beside = of({ a: LINE.repeat(1_000), b: LINE.repeat(300) }, new Map([['a', 100]]), 4_600);
    assert.deepEqual(
      [...beside.cuts].map(([key, { lines }]) => [key, lines]),
      [['file:a', 100]],
    );
    const minified = of(
      { a: LINE.repeat(1_000), b: 'x'.repeat(90_000) },
      new Map([
        ['a', 100],
        ['b', 0],
      ]),
      40_000,
    );
    assert.deepEqual(
      [...minified.cuts].map(([key, { lines }]) => [key, lines]),
      [['file:b', 0]],
    );
  });

  it('holds a file that was left out until some lines of it have room', () => {
    const of = (maxPromptTokens: number): number | null =>
      linesOf(fit({ shownLines: holding(0), config: { maxPromptTokens, reservedResponseTokens: 0 } }));
    const rest = fit({ files: new Map() }).size.tokens;
    assert.equal(of(rest + 300), 0);
    assert.ok((of(rest + 700) ?? 0) > 0);
  });

  it('is cut by what the provider counts, again where that shows more than was thought', () => {
    const asked: number[] = [];
    /** The first count is twice ours, that of the cut request three times. */
    const countByProvider = (draft: UnmeasuredRequest): number => {
      const shown = draft.cuts.get('file:a')?.tokens ?? null;
      asked.push(shown ?? -1);
      return shown === null ? 20_000 : (shown + 500) * 3;
    };
    const request = fit({ model: ESTIMATED, countByProvider });
    assert.deepEqual([request.size.basis, request.excess], ['providerCount', null]);
    assert.ok(request.size.tokens <= 6_400);
    assert.ok(asked.length === 3 && (asked[2] ?? 0) < (asked[1] ?? 0), asked.join());
  });

  it('is over its budget without any file when the rest alone is', () => {
    const request = fit({ messages: [user('u', 'x'.repeat(7_000))] });
    assert.equal(linesOf(request), 0);
    assert.equal(request.excess?.largest[0]?.key, 'message:u/0');
    assert.equal(request.excess.tokens, fit({ files: new Map(), messages: [user('u', 'x'.repeat(7_000))] }).size.tokens);
  });
});
