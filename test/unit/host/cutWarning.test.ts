import assert from 'node:assert/strict';
import { attemptEnded, attemptStarted, stateOf, usage } from '../../support/engine/events.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { cutWarning } from '../../../src/host/panel/nextRequest/nextRequestView.js';

function answered(id: string, counted: number, reported: number): NewEvent[] {
  const started = attemptStarted('r', id);
  const size = { tokens: counted, counted, basis: 'estimate', error: null } as const;
  return [
    { ...started, manifest: { ...started.manifest, size, counter: 'o200k_base' } },
    { ...attemptEnded('r', id, 'complete'), usage: usage(reported, 0, 0, 5) },
  ];
}

const { model } = attemptStarted('r', 'a');
const warning = (...events: NewEvent[]): readonly string[] => cutWarning(stateOf(...events), { ref: model });

describe('what is said of a request that the server has cut', () => {
  it('names both figures, until a request is taken whole', () => {
    const cut = [...answered('a', 15_750, 4_096), ...answered('b', 15_750, 4_096), ...answered('c', 15_750, 4_096)];
    assert.match(
      warning(...cut)[0] ?? '',
      /^The server has probably cut your last request: Loupe counted 15,750 tokens, but the server reported 4,096\. /,
    );
    assert.deepEqual(warning(...cut, ...answered('d', 1_000, 1_100)), []);
  });

  it('is nothing without a cut', () => {
    assert.deepEqual(warning(...answered('a', 1_000, 1_200), ...answered('b', 2_000, 2_300)), []);
    assert.deepEqual(warning(), []);
  });
});
