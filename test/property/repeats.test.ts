import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ExcludedParts } from '../../src/engine/chat/excludedParts.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import type { JsonObject } from '../../src/engine/json.js';
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../src/engine/model/part.js';
import { unfenced } from '../../src/engine/context/fence.js';
import { changedContent } from '../../src/engine/context/fileChange.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import type { Block } from '../../src/engine/model/block.js';
import type { Request } from '../../src/engine/request/request.js';
import { TEXT_DIFFERENCES } from '../../src/host/request/compose/textDifferences.js';
import { depth } from '../support/depth.mjs';
import { assistant, call as anyCall, result as anyResult, results, text, user } from '../support/engine/messages.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { PLAIN, RecordedChat, requestOf, type Content } from '../support/engine/requests.js';
import { situationAfter } from '../support/engine/situations.js';
import { blocksOf } from '../support/engine/wireRules.js';

function call(name: string, id: string, args: JsonObject): ToolCallPart {
  return { ...anyCall(id, args), name };
}

function result(name: string, id: string, ...content: ToolResultContent[]): ToolResultPart {
  return { ...anyResult(id, ...content), name };
}

/** The lines of a file; each version changes a few of them. */
function fileText(path: string, version: number): string {
  return Array.from({ length: 80 }, (_, at) => `const ${path}${at} = ${at % 40 < version ? version : 0};`).join('\n');
}

const PATHS = ['a', 'b', 'c'];

/** Arguments that look the same in a reference, where long texts are cut. */
const QUERIES = ['', ...['one', 'two'].map((end) => `${'word '.repeat(30)}${end}`)];

const anyRead = fc.record({
  /** Numbers before the lines are part of the file in results of `cat`, but not of `read_file`. */
  tool: fc.constantFrom('read_file', 'read_file', 'cat'),
  path: fc.constantFrom(...PATHS),
  version: fc.nat(2),
  isNumbered: fc.boolean(),
  first: fc.constantFrom(1, 1, 20),
  query: fc.constantFrom(...QUERIES),
});

const anyWrite = fc.record({ path: fc.constantFrom(...PATHS), version: fc.nat(2), isShort: fc.boolean() });

const anyStep = fc.record({
  reads: fc.array(anyRead, { minLength: 1, maxLength: 3 }),
  writes: fc.array(anyWrite, { maxLength: 2 }),
  endsTurn: fc.nat(4).map((n) => n === 0),
});

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const LAYOUT = fc.constantFrom(...Object.values(LAYOUTS));
const FORGET = fc.constantFrom(null, null, 0, 1);
const FILES = fc.uniqueArray(fc.record({ path: fc.constantFrom(...PATHS), version: fc.nat(2) }), { selector: ({ path }) => path });

function readText({ path, version, isNumbered, first }: Step['reads'][number]): string {
  const lines = fileText(path, version)
    .split('\n')
    .slice(first - 1);
  return lines.map((line, at) => (isNumbered ? `${String(first + at)}\t${line}` : line)).join('\n');
}

/** A reply that reads files, with the results. */
function conversationStep(reads: Step['reads'], at: number): SentMessage[] {
  return [
    assistant(`s${at}`, ...reads.map(({ tool, path, first, query }, index) => call(tool, `c${at}-${index}`, { path, first, query }))),
    results(`r${at}`, ...reads.map((each, index) => result(each.tool, `c${at}-${index}`, text(readText(each))))),
  ];
}

/** The hunks of the differences in pointers, with the paths of their files. */
function differencesIn(blocks: readonly Block[]): readonly { readonly path: string; readonly change: string }[] {
  return blocks.flatMap((block) => {
    const { copy, change } = POINTER.exec(textOf(block))?.groups ?? {};
    const hunks = change === undefined ? null : unfenced(`x:\n${change}`);
    return block.role === 'tool-results' && copy !== undefined && hunks !== null ? [{ path: copy, change: hunks }] : [];
  });
}

/** The conversation after each step. */
function conversations(steps: readonly Step[]): SentMessage[][] {
  const said: SentMessage[] = [user('u', 'Go.')];
  return steps.map(({ reads, writes, endsTurn }, at) => {
    const calls = reads.map(({ tool, path, first, query }, index) => call(tool, `c${at}-${index}`, { path, first, query }));
    const write = writes.map(({ path, version, isShort }, index) =>
      call('write_file', `w${at}-${index}`, { path, content: isShort ? 'Nothing.' : fileText(path, version) }),
    );
    const found = reads.map((each, index) => result(each.tool, `c${at}-${index}`, text(readText(each))));
    said.push(
      assistant(`s${at}`, ...calls, ...write),
      results(`r${at}`, ...found, ...write.map(({ id }) => result('write_file', id, text('Wrote it.')))),
    );
    if (endsTurn) {
      said.push(assistant(`e${at}`, 'Done.'), user(`u${at}`, 'Go on.'));
    }
    return [...said];
  });
}

function textOf({ part }: Block): string {
  return part.type === 'text'
    ? part.text
    : part.type === 'toolResult'
      ? part.content.map((item) => (item.type === 'text' ? item.text : '')).join('')
      : '';
}

/** The lines of a text without the numbers that `read_file` writes, and the number of the first. */
function plain(name: string, content: string): { readonly raw: string; readonly first: number } {
  const first = /\bread_file\b/.test(name) ? /^(\d+)\t/.exec(content)?.[1] : undefined;
  return { raw: first === undefined ? content.replace(/\n$/, '') : content.replace(/^\d+\t/gm, ''), first: Number(first ?? 1) };
}

/** Matches a pointer, what it names, and the difference to that. */
const POINTER = new RegExp(
  '^\\[The same as (?:lines (?<from>\\d+) to (?<to>\\d+) of )?' +
    '(?:(?:the copy of (?<copy>\\S+)|(?<source>(?:result|the content in your call) \\d+ of \\S+ \\{.*?\\})) above|' +
    '(?:the next copy of (?<nextCopy>\\S+)|(?<nextChange>\\S+) after its next change) below)' +
    '(?:, except for [^.]*)?\\..*\\](?:\\n(?<change>[^]*))?$',
);

/** Returns a call as references name it. */
function shownCall(name: string, args: JsonObject): string {
  return `${name} ${JSON.stringify(args, (_name, value: unknown) => (typeof value === 'string' && value.length > 100 ? `${value.slice(0, 100)}…` : value))}`;
}

/** Recovers the lines of each result from a request alone, as a model can. Fails on a pointer without its content. */
class Reader {
  /** The lines, or a function that returns them once the whole request is read. */
  readonly #lines: (() => string)[] = [];
  /** What is read when the next copy or change of a file has been read, by name. */
  readonly #next = new Map<string, (() => void)[]>();
  readonly #files = new Map<string, string>();
  readonly #calls = new Map<string, string>();
  /** Full results and written contents, by their names in references. */
  readonly #named = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  read(block: Block): void {
    const { part } = block;
    if (block.category === 'files' && block.item !== null) {
      this.#readFile(block, block.item.slice('file:'.length));
    }
    if (part.type === 'toolCall') {
      const { content, ...others } = part.args;
      this.#calls.set(part.id, shownCall(part.name, part.args));
      if (typeof content === 'string') {
        this.#named.set(this.#numbered('the content in your call', shownCall(part.name, others)), content);
      }
    }
    if (part.type === 'toolResult') {
      this.#lines.push(this.#result(block, this.#calls.get(part.callId)!));
    }
  }

  get lines(): readonly string[] {
    return this.#lines.map((lines) => lines());
  }

  #numbered(kind: string, call: string): string {
    const number = (this.#counts.get(`${kind} of ${call}`) ?? 0) + 1;
    this.#counts.set(`${kind} of ${call}`, number);
    return `${kind} ${number} of ${call}`;
  }

  #readFile(block: Block, name: string): void {
    const isChange = block.role === 'user' && block.copyHash !== undefined;
    const content = textOf(block).trimStart();
    this.#files.set(name, (isChange ? changedContent(content, this.#files.get(name)!, TEXT_DIFFERENCES) : unfenced(content))!);
    for (const wait of this.#next.get(name) ?? []) {
      wait();
    }
    this.#next.delete(name);
  }

  #result(block: Block, call: string): () => string {
    const name = this.#numbered('result', call);
    const groups = POINTER.exec(textOf(block))?.groups;
    if (groups === undefined) {
      assert.ok(!block.key.startsWith('repeat:'), textOf(block));
      this.#named.set(name, textOf(block));
      const { raw } = plain(name, textOf(block));
      return () => raw;
    }
    const { copy, source: named, nextCopy, nextChange } = groups;
    const next = nextCopy ?? nextChange;
    let source = copy === undefined ? this.#named.get(named!) : this.#files.get(copy);
    if (next !== undefined) {
      const waiting = this.#next.get(next) ?? [];
      waiting.push(() => (source = this.#files.get(next)));
      this.#next.set(next, waiting);
    }
    return () => {
      assert.ok(source !== undefined, `${textOf(block)} points to nothing`);
      return pointedTo(plain(named ?? '', source), groups);
    };
  }
}

/** Returns the lines that a pointer means in the content that it refers to. */
function pointedTo({ raw, first }: ReturnType<typeof plain>, { from, to, change }: NonNullable<RegExpExecArray['groups']>): string {
  const part =
    from === undefined
      ? raw
      : raw
          .split('\n')
          .slice(Number(from) - first, Number(to) - first + 1)
          .join('\n');
  return change === undefined ? part : changed(part, change, first);
}

/** Applies a difference whose line numbers are those of a file, to lines of the file from `first` on. */
function changed(lines: string, difference: string, first: number): string {
  const here = (number: string): string => String(Number(number) - first + 1);
  const moved = difference.replace(/^@@ -(\d+)((?:,\d+)?) \+(\d+)/gm, (_all, a: string, count: string, b: string) => {
    return `@@ -${here(a)}${count} +${here(b)}`;
  });
  return changedContent(`x:\n${moved}`, `${lines}\n`, TEXT_DIFFERENCES)!.replace(/\n$/, '');
}

function recovered(prompt: Request['prompt']): readonly string[] {
  const reader = new Reader();
  for (const block of blocksOf(prompt)) {
    reader.read(block);
  }
  return reader.lines;
}

function expected(prompt: Request['prompt'], messages: readonly SentMessage[]): readonly string[] {
  const logged = new Map(
    messages.flatMap((each) => (each.role === 'tool-results' ? each.parts.map((part) => [part.callId, part] as const) : [])),
  );
  return blocksOf(prompt).flatMap(({ part }) => {
    const { name, content } = part.type === 'toolResult' ? logged.get(part.callId)! : { name: '', content: [] };
    const texts = content.map((item) => (item.type === 'text' ? item.text : ''));
    return part.type === 'toolResult' ? [plain(name, texts.join('')).raw] : [];
  });
}

describe('pointers to repeated tool results', () => {
  it('lose nothing: each result can be recovered from the request, whatever was excluded, forgotten, summarized or changed', () => {
    let pointers = 0;
    const anyExcluded = fc.array(fc.nat(8), { maxLength: 2 });
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 2, maxLength: 8 }),
        fc.record({ layout: LAYOUT, forget: FORGET, files: FILES, excluded: anyExcluded }),
        (steps, { layout, forget, files, excluded }) => {
          const chat = new RecordedChat();
          for (const [at, all] of conversations(steps).entries()) {
            const from = at > 5 ? all.findLastIndex(({ role }) => role === 'user') : 0;
            const messages = all.slice(from);
            const out = excluded.filter((each) => each < at && messages.some(({ id }) => id === `s${each}`));
            const calls: ExcludedParts['calls'] = new Map(out.map((each) => [`s${each}`, new Map([[`c${each}-0`, 'now' as const]])]));
            const content: Content = {
              ...{
                layout,
                messages,
                excluded: { messages: new Map(), calls },
                toolMemory: { forgetAfterConclusions: forget, pinned: new Set() },
              },
              files: new Map(files.map(({ path, version }) => [path, `${fileText(path, at % 3 === 0 ? version : 1)}\n`])),
              ...(from > 0 ? { checkpoint: { id: 'summary', text: 'They read files.' } } : {}),
              situation: situationAfter(chat, 0),
            };
            const { prompt, repeated } = chat.compose(content, new BlockFactory(characters, sha256));
            assert.deepEqual(recovered(prompt), expected(prompt, messages));
            assert.ok(repeated.every(({ saved }) => saved > 0));
            pointers += repeated.length;
            chat.send(content);
          }
        },
      ),
      { numRuns: depth({ short: 150, deep: 3_000 }) },
    );
    assert.ok(pointers > 100, `${String(pointers)} pointers`);
  });

  it('never change while what comes before them stays: each request begins with the whole request before', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 2, maxLength: 8 }),
        fc.constantFrom(LAYOUTS.plain, LAYOUTS.adaptive),
        FILES,
        (steps, layout, files) => {
          const context = new Map(files.map(({ path, version }) => [path, `${fileText(path, version)}\n`]));
          let before: readonly string[] = [];
          const chat = new RecordedChat();
          for (const messages of conversations(steps)) {
            const content = { layout, messages, files: context, situation: situationAfter(chat, 0) };
            const hashes = blocksOf(chat.send(content).prompt).map(({ hash }) => hash);
            assert.deepEqual(hashes.slice(0, before.length), before);
            before = hashes;
          }
        },
      ),
      { numRuns: depth({ short: 100, deep: 2_000 }) },
    );
  });

  it('give a change once: a file of the context that changed before a tool read it again is one difference', () => {
    let pointers = 0;
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 2, maxLength: 8 }), fc.subarray(PATHS, { minLength: 1 }), (steps, paths) => {
        const chat = new RecordedChat();
        const disk = new Map(PATHS.map((path) => [path, 0]));
        const onDisk = (): ReadonlyMap<string, string> => new Map(paths.map((path) => [path, `${fileText(path, disk.get(path)!)}\n`]));
        let before: readonly Block[] = [];
        let isLoop = false;
        const send = (messages: readonly SentMessage[]): void => {
          const { prompt } = chat.send({ layout: LAYOUTS.adaptive, messages, files: onDisk(), situation: situationAfter(chat, 0) });
          const blocks = blocksOf(prompt);
          assert.deepEqual(recovered(prompt), expected(prompt, messages));
          if (isLoop) {
            const hashes = blocks.map(({ hash }) => hash);
            assert.deepEqual(
              hashes.slice(0, before.length),
              before.map(({ hash }) => hash),
              'begins with the whole request before',
            );
          }
          const news = blocks.slice(before.length);
          for (const { change, path } of isLoop ? differencesIn(news) : []) {
            assert.ok(!news.some((block) => block.item === `file:${path}` && textOf(block).includes(change)), `twice: ${change}`);
          }
          pointers += news.filter((block) => /after its next change below|the next copy of \S+ below/.test(textOf(block))).length;
          before = blocks;
        };
        const said: SentMessage[] = [user('u', 'Go.')];
        send(said);
        for (const [at, { reads, endsTurn }] of steps.entries()) {
          // Each file has one version per step, because the reads of a step come after the changes.
          const versions = new Map(reads.map(({ path, version }) => [path, version]));
          for (const [path, version] of versions) {
            disk.set(path, version);
          }
          const made = reads.map((read) => ({ ...read, version: versions.get(read.path)! }));
          isLoop = true;
          said.push(...conversationStep(made, at));
          send([...said]);
          if (endsTurn) {
            said.push(assistant(`e${at}`, 'Done.'), user(`u${at}`, 'Go on.'));
            isLoop = false;
            send([...said]);
          }
        }
      }),
      { numRuns: depth({ short: 100, deep: 2_000 }) },
    );
    assert.ok(pointers > 50, `${String(pointers)} pointers to a later change`);
  });

  it('depend on earlier content only: without the last request, the same results are replaced', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 2, maxLength: 8 }), (steps) => {
        const all = conversations(steps);
        const keys = (messages: readonly SentMessage[]): readonly string[] =>
          requestOf({ ...PLAIN, messages }, new BlockFactory(characters, sha256)).repeated.map(({ callId }) => callId);
        const last = keys(all.at(-1)!);
        for (const messages of all) {
          const now = keys(messages);
          assert.deepEqual(last.slice(0, now.length), now);
        }
      }),
      { numRuns: depth({ short: 100, deep: 2_000 }) },
    );
  });
});
