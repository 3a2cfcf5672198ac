import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT } from '../../src/engine/request/layout/situation.js';
import { depth } from '../support/depth.mjs';
import { RESULT_TEXTS } from '../support/engine/largeResults.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { PLAIN, RecordedChat, requestOf, type Sent } from '../support/engine/requests.js';
import { anyTranscript } from '../support/engine/randomTranscript.js';
import { situationAfter } from '../support/engine/situations.js';
import { blocksOf, wireFaults } from '../support/engine/wireRules.js';
import { inRuns } from '../support/forAll.js';

const MINUTE = 60_000;
const PATHS = ['src/a.ts', 'src/b.ts', 'README.md'] as const;

/** Some lines, with or without a final line feed, also empty. A change can be shorter than the file. */
const anyContent = fc
  .tuple(fc.array(fc.constantFrom('', 'let a = 1;', 'let b = 2;', '```', '@@ -1 +1 @@', '\\ No newline'), { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));

const anyFiles = fc.dictionary(fc.constantFrom(...PATHS), anyContent).map((files) => new Map(Object.entries(files)));

/** A step of a chat: the length of the transcript, its files, and the pause before. */
const anyStep = fc.record({
  said: fc.nat(30),
  files: anyFiles,
  idleMs: fc.constantFrom(1_000, 4 * MINUTE, 20 * MINUTE, 90 * MINUTE),
  mustRebuild: fc.nat(9).map((number) => number === 0),
  memory: anyMemory,
  toolsLeave: fc.constantFrom('later' as const, 'later' as const, 'now' as const),
});

const anyLife = fc.record({
  model: fc.constantFrom(OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL),
  transcript: anyTranscript,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
});

type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

interface Told {
  readonly sent: Sent;
  readonly messages: readonly SentMessage[];
  readonly files: ReadonlyMap<string, string>;
}

function requestsOf({ model, transcript, steps }: Life): Told[] {
  const chat = new RecordedChat();
  const told: Told[] = [];
  for (const { said, files, idleMs, mustRebuild } of steps) {
    const last = told.at(-1);
    const messages = transcript.slice(0, said);
    const situation = last === undefined ? NOTHING_SENT : situationAfter(chat, idleMs);
    const sent = chat.send({ layout: LAYOUTS.adaptive, model, situation, messages, files, mustRebuild });
    told.push({ sent, messages, files });
  }
  return told;
}

/** The content of each file as a reader of the prompt knows it, from its copies and differences. */
function known({ prompt }: Sent): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { part, item, form } of blocksOf(prompt)) {
    if (item !== null && part.type === 'text') {
      const path = item.slice('file:'.length);
      const [, ...lines] = part.text.split('\n');
      const end = lines.findLastIndex((line) => /^`{3,}$/.test(line));
      const isCut = lines.length > end + 1;
      const body = lines
        .slice(1, end)
        .map((line) => `${line}\n`)
        .join('');
      const isDifference = form === 'difference' || (form !== 'full' && (lines[0] ?? '').endsWith('```diff'));
      contents.set(path, isDifference ? patched(contents.get(path) ?? '', lines.slice(1, end)) : isCut ? body.slice(0, -1) : body);
    }
  }
  return contents;
}

/** Applies a unified diff without the library that made it. */
function patched(before: string, diff: readonly string[]): string {
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let at = 0;
  let after = '';
  for (const [index, line] of diff.entries()) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    const ending = diff[index + 1]?.startsWith('\\') === true ? '' : '\n';
    if (hunk !== null) {
      const from = hunk[2] === '0' ? Number(hunk[1]) : Number(hunk[1]) - 1;
      after += source.slice(at, from).join('');
      at = from;
    } else if (line.startsWith('+')) {
      after += line.slice(1) + ending;
    } else if (!line.startsWith('\\')) {
      assert.equal(source[at], line.slice(1) + ending, 'a line of the difference is a line of the file');
      after += line.startsWith('-') ? '' : (source[at] ?? '');
      at += 1;
    }
  }
  return after + source.slice(at).join('');
}

describe('any chat in the layout adaptive', () => {
  it('keeps the rules of the wire in each request', () => {
    inRuns(depth({ short: 60, deep: 1_500 })).forAll(anyLife, (life) => {
      const { model } = life;
      const chat = new RecordedChat();
      let situation = NOTHING_SENT;
      for (const { said, files, idleMs, mustRebuild, memory, toolsLeave } of life.steps) {
        const messages = life.transcript.slice(0, said);
        const layoutOptions = { ...PLAIN.layoutOptions, toolsLeave };
        const content = { layout: LAYOUTS.adaptive, model, messages, files, mustRebuild, layoutOptions };
        const input = { ...PLAIN, ...content, situation, ...memoryOf(memory, messages), resultTexts: RESULT_TEXTS };
        const request = requestOf({ ...input, cacheMode: 'cached' }, new BlockFactory(characters, sha256));
        assert.deepEqual(wireFaults(request, messages, input), []);
        chat.send({ ...content, toolMemory: input.toolMemory, excluded: input.excluded, situation });
        situation = situationAfter(chat, idleMs);
      }
    });
  });

  it('tells the model each file as it is', () => {
    inRuns(depth({ short: 100, deep: 2_500 })).forAll(anyLife, (life) => {
      for (const { sent, messages, files } of requestsOf(life)) {
        // A provider can refuse content after results. Then the files follow with the next message.
        if (messages.at(-1)?.role === 'user') {
          const contents = known(sent);
          for (const [path, content] of files) {
            assert.equal(contents.get(path), content, path);
          }
        }
      }
    });
  });

  it('leaves all that was sent where it is while the conversation grows and files only come', () => {
    const growing = anyLife.map(({ steps, transcript: any, ...life }) => {
      const transcript = any.filter(({ role, parts }) => role !== 'user' || parts.some((part) => part.type === 'image' || isSaid(part)));
      const asked = transcript.flatMap(({ role }, at) => (role === 'user' ? [at + 1] : []));
      const all = [...new Map(steps.flatMap(({ files }) => [...files]))];
      const rest = { idleMs: 1_000, mustRebuild: false, memory: { turns: null, pinned: [], excluded: [] }, toolsLeave: 'later' as const };
      const later = asked.map((said, at) => ({ ...rest, said, files: new Map(all.slice(0, at)) }));
      return { ...life, transcript, model: OPEN_MODEL, steps: later };
    });
    inRuns(depth({ short: 60, deep: 1_500 })).forAll(growing, (life) => {
      const told = requestsOf(life);
      for (const [at, { sent }] of told.slice(1).entries()) {
        const before = told[at]!;
        const blocks = blocksOf(before.sent.prompt);
        // An unanswered user message moves to the end, after new content.
        const asked = before.messages.at(-1)?.id ?? '';
        const stays = blocks.filter(({ key }) => !key.includes(asked)).map(({ hash }) => hash);
        const now = blocksOf(sent.prompt).map(({ hash }) => hash);
        assert.deepEqual(now.slice(0, stays.length), stays);
      }
    });
  });
});

function isSaid(part: SentMessage['parts'][number]): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}
