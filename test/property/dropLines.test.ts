import assert from 'node:assert/strict';
import fc from 'fast-check';
import { roomLimit } from '../../src/engine/budget/budget.js';
import { arrange } from '../../src/engine/request/arrange.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { fittedRequest, type CountByProvider, type FitInput } from '../../src/engine/request/fit.js';
import { ALL_SHOWN, previousShownLines, type ShownLines } from '../../src/engine/request/shownFiles.js';
import type { ContextRecord } from '../../src/engine/record/manifest.js';
import type { Block } from '../../src/engine/model/block.js';
import { promptBlocks } from '../../src/engine/model/prompt.js';
import type { Request } from '../../src/engine/request/request.js';
import { contextRecords } from '../../src/engine/next/resolved.js';
import { depth } from '../support/depth.mjs';
import { OPEN_MODEL, withCapabilities } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { anyTranscript } from '../support/engine/randomTranscript.js';
import { PLAIN } from '../support/engine/requests.js';
import { forAll, inRuns } from '../support/forAll.js';
import { NO_REPOSITORY } from '../../src/engine/repository/repositoryTexts.js';

const anyContent = fc.oneof(
  fc.string({ maxLength: 2_000 }),
  fc.array(fc.string({ maxLength: 80 }), { maxLength: 60 }).map((lines) => lines.join('\n')),
  fc.integer({ min: 0, max: 400 }).map((count) => 'const line = 1;\n'.repeat(count)),
);

const anyFiles = fc
  .dictionary(fc.constantFrom('a.ts', 'b.ts', 'src/c.ts', 'src/d.md', 'e', 'f.json'), anyContent)
  .map((files) => new Map(Object.entries(files)));

const anyInput = fc.record({
  model: fc.boolean().map((counterIsExact) => withCapabilities({ ...OPEN_MODEL, maxInputTokens: 6_000 }, { counterIsExact })),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
  files: anyFiles,
  messages: anyTranscript,
  shownLines: fc.constant(ALL_SHOWN),
  config: fc.record({
    maxPromptTokens: fc.option(fc.integer({ min: 1, max: 8_000 }), { nil: null }),
    reservedResponseTokens: fc.integer({ min: 0, max: 600 }),
  }),
  calibration: fc.record({ factor: fc.double({ min: 0.3, max: 4, noNaN: true }), error: fc.constant(null), samples: fc.constant(1) }),
  /** The provider's count as a share of the counter's. Null when it does not count. */
  counts: fc.option(fc.double({ min: 0.3, max: 3, noNaN: true }), { nil: null }),
});

type Drawn = typeof anyInput extends fc.Arbitrary<infer T> ? T : never;

type CountedInput = FitInput & { readonly countByProvider: CountByProvider };

function inputOf({ counts, ...drawn }: Drawn): CountedInput {
  const counted = ({ prompt }: Pick<Request, 'prompt'>): number => sum(promptBlocks(prompt));
  return { ...PLAIN, ...drawn, countByProvider: (draft) => (counts === null ? null : Math.round(counted(draft) * counts)) };
}

const sum = (blocks: readonly Block[]): number => blocks.reduce((all, { tokens }) => all + tokens, 0);
const isFile = ({ key }: Block): boolean => key.startsWith('file:');

const without = (request: Request): unknown =>
  promptBlocks(request.prompt)
    // Without files, a note precedes a conversation that begins with a reply.
    .filter(({ category, key }) => category !== 'files' && !key.startsWith('missing:'))
    .map(({ breakpoint: _breakpoint, ...block }) => block);

const fits = ({ size, budget, model }: Request): boolean => size.tokens <= roomLimit(budget, model, size);

function fitted(input: CountedInput): Request {
  const factory = new BlockFactory(characters, sha256);
  return fittedRequest(input, arrange(input, factory), factory, input.countByProvider);
}

function recorded(request: Request, files: FitInput['files']): ShownLines {
  const resolved = [...files.keys()].map((name) => {
    const item = { type: 'file', name, includeMode: 'manual', addedHash: null, given: null } as const;
    return { item, hash: null, notSelectedReason: null };
  });
  const selection = { always: [], onDemand: [], picked: [], forFiles: [], absent: [] };
  const records = contextRecords(
    { resolved, selection, repository: { texts: NO_REPOSITORY, missing: new Map(), links: new Map() } },
    request,
  );
  return previousShownLines(JSON.parse(JSON.stringify(records)) as ContextRecord[], files, sha256);
}

describe('a request with any files and any budget', () => {
  it('fits, unless what is no file is too much alone; and nothing but files leaves it', () => {
    inRuns(depth({ short: 100, deep: 2_500 })).forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const request = fitted(input);
      assert.ok(fits(request) || !promptBlocks(request.prompt).some(isFile));
      const bare = fitted({ ...input, files: new Map() });
      assert.deepEqual(without(request), without(bare));
      assert.equal(request.excess !== null, bare.excess !== null);
    });
  });

  it('holds all files whole where they fit', () => {
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const all = fitted({ ...input, config: { maxPromptTokens: 10_000_000, reservedResponseTokens: 0 }, model: unlimited(input) });
      const request = fitted(input);
      if (all.size.tokens <= roomLimit(request.budget, request.model, request.size)) {
        assert.equal(request.cuts.size, 0);
        assert.equal(promptBlocks(request.prompt).filter(isFile).length, input.files.size);
      }
    });
  });

  it('keeps the smaller files before the larger ones, and of each that is cut whole lines from the first on', () => {
    forAll(anyInput, (drawn) => {
      const input = inputOf(drawn);
      const { prompt, cuts } = fitted(input);
      const held = promptBlocks(prompt).filter(isFile);
      const whole = held.filter(({ key }) => !cuts.has(key)).map(({ tokens }) => tokens);
      for (const [key, { lines, ofLines, tokens, ofTokens }] of cuts) {
        assert.ok(Math.max(0, ...whole) <= ofTokens);
        assert.ok(lines < ofLines || ofLines === 0);
        const block = held.find((each) => each.key === key);
        assert.deepEqual([block?.tokens ?? 0, block?.form], lines === 0 ? [0, undefined] : [tokens, 'cut']);
        const begin = (input.files.get(key.slice('file:'.length)) ?? '').split('\n').slice(0, lines).join('\n');
        assert.ok(lines === 0 || (block?.part.type === 'text' && block.part.text.includes(`\n${begin}\n`)));
      }
    });
  });

  it('is the same each time, and holds its cuts in the next request', () => {
    inRuns(depth({ short: 60, deep: 1_500 })).forAll(anyInput, (drawn) => {
      const input = inputOf({ ...drawn, counts: null });
      const request = fitted(input);
      assert.deepEqual(fitted(input), request);
      const shownLines = recorded(request, input.files);
      assert.deepEqual(new Set(shownLines.keys()), new Set([...request.cuts.keys()].map((key) => key.slice('file:'.length))));
      assert.deepEqual(fitted({ ...input, shownLines }).prompt, request.prompt);
    });
  });
});

function unlimited({ model }: FitInput): FitInput['model'] {
  return { ...model, maxInputTokens: null };
}
