import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import type { RequestInput } from '../../src/engine/request/request.js';
import { depth } from '../support/depth.mjs';
import { anyRecord, situationAfter } from '../support/engine/anySituation.js';
import { FILES_LAST } from '../support/engine/layouts.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { RESULT_TEXTS, resultTextsWithout } from '../support/engine/largeResults.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { PLAIN, requestOf } from '../support/engine/requests.js';
import { anyFiles, anyTranscript } from '../support/engine/randomTranscript.js';
import { blocksOf, wireFaults } from '../support/engine/wireRules.js';
import { forAll, inRuns } from '../support/forAll.js';

const anyInput = fc.record({
  model: fc.constantFrom(OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL),
  layout: fc.constantFrom(LAYOUTS.plain, LAYOUTS.tiered, FILES_LAST),
  cacheMode: fc.constantFrom(...CHAT_SETTINGS.cacheMode.options).map(({ value }) => value),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
  fragments: fc.constantFrom([], [{ key: 'fragment:a', text: 'Note.' }]),
  standing: fc.constantFrom([], [{ key: 'rule:AGENTS.md', category: 'rules' as const, text: 'Never.' }]),
  picked: fc.constantFrom([], [{ key: 'rule:Tides', category: 'rules' as const, text: 'In metres.' }]),
  files: anyFiles,
  messages: anyTranscript,
  missingImages: fc.subarray(['aa', 'bb', 'cc']).map((names) => new Set(names)),
  missingResults: fc.subarray([...RESULT_TEXTS.keys()]),
  memory: anyMemory,
  attempts: fc.constant(new Map()),
  before: anyRecord,
});

type Drawn = typeof anyInput extends fc.Arbitrary<infer T> ? T : never;

function inputOf({ missingResults, before, memory, ...drawn }: Drawn): RequestInput {
  const input = { ...PLAIN, ...drawn, ...memoryOf(memory, drawn.messages), resultTexts: resultTextsWithout(missingResults) };
  return { ...input, situation: situationAfter(requestOf(input, new BlockFactory(characters, sha256)).prompt, before) };
}

describe('any request', () => {
  it('keeps the rules of the wire, whatever happened to the chat', () => {
    inRuns(depth({ short: 150, deep: 5_000 })).forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const request = requestOf(input, new BlockFactory(characters, sha256));
      assert.deepEqual(wireFaults(request, input.messages, input), []);
    });
  });

  it('is the same whether or not its parts were measured before', () => {
    const factory = new BlockFactory(characters, sha256);
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const fresh = requestOf(input, new BlockFactory(characters, sha256));
      requestOf({ ...input, model: STRICT_MODEL }, factory);
      requestOf({ ...input, model: OPEN_MODEL }, factory);
      assert.deepEqual(requestOf(input, factory), fresh);
    });
  });

  it('carries no more breakpoints than the model takes, none that is off, and none below the minimum', () => {
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const blocks = blocksOf(requestOf(input, new BlockFactory(characters, sha256)).prompt);
      const limits = input.model.capabilities.cache;
      let prefix = 0;
      let marks = 0;
      for (const { tokens, breakpoint } of blocks) {
        prefix += tokens;
        if (breakpoint !== null) {
          marks += 1;
          assert.ok(limits.kind === 'marks' && prefix >= limits.minimumTokens);
        }
      }
      // The order of `plain` has one more before picked items.
      const inPlain = input.picked.length > 0 ? 3 : 2;
      assert.ok(marks <= { 'all-off': 0, system: 1, cached: input.layout === LAYOUTS.tiered ? 4 : inPlain }[input.cacheMode]);
    });
  });
});
