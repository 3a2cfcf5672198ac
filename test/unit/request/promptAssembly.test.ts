import assert from 'node:assert/strict';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { GLOBAL_PROMPT } from '../../../src/engine/request/gather.js';
import type { ReadRepository } from '../../../src/engine/next/repository.js';
import { NO_REPOSITORY, repositoryWishes, type RepositoryTexts } from '../../../src/engine/repository/repositoryTexts.js';
import type { Request, RequestInput } from '../../../src/engine/request/request.js';
import { convert as convertAnthropic } from '../../../src/providers/anthropic/convert.js';
import { convert as convertOpenAi } from '../../../src/providers/openaiCompatible/convert.js';
import { assistant, image, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf, withFiles } from '../../support/engine/requests.js';
import { TieredChat, withTarget } from '../../support/engine/tieredChat.js';
import { bodyOf, lines } from '../../support/engine/wireLines.js';
import { ScanFolder } from '../../support/symbols/scanFolder.js';
import { ScannedRepository } from '../../support/symbols/scannedRepository.js';

/*
 * The prompt assembly of the reference system, in its words, in the bodies that providers receive. The items about URLs
 * are among the tests of web pages.
 */

const IMAGES = new Map([['f00d', 'QUJD']]);

/**
 * A small workspace. Three files use `wing.ts`, and two use `plane.ts`. `plane.ts` and `pilot.ts` use each other.
 * Nothing uses `tower.ts` and `hangar.ts`.
 */
const WORKSPACE = {
  'README.md': '# Airfield\n',
  'src/parts/wing.ts': 'export class WingShape {\n  bend(angle: number): void {}\n}\n',
  'src/plane.ts':
    'import { FlightPilot } from "./pilot.js";\nimport { WingShape } from "./parts/wing.js";\n' +
    'export class FlyingPlane {\n  readonly wing = new WingShape();\n  board(pilot: FlightPilot): void {}\n}\n',
  'src/pilot.ts': 'import { FlyingPlane } from "./plane.js";\nexport class FlightPilot {\n  start(plane: FlyingPlane): void {}\n}\n',
  'src/hangar.ts': 'import { WingShape } from "./parts/wing.js";\nexport function storeWing(wing: WingShape): void {}\n',
  'src/tower.ts':
    'import { FlyingPlane } from "./plane.js";\nimport { WingShape } from "./parts/wing.js";\n' +
    'export function landPlane(plane: FlyingPlane): WingShape {\n  return plane.wing;\n}\n',
};

const CONTENTS = new Map(Object.entries(WORKSPACE));

const TREE = ['user: # Repository Files | README.md', 'assistant: Understood. I know the files of the repository.'];

/** `WORKSPACE` on disk, and its repository map for a chat with these files. */
class Airfield {
  #folder: ScanFolder | null = null;
  #scanned: ScannedRepository | null = null;

  async open(): Promise<void> {
    this.#folder = await ScanFolder.create();
    this.#scanned = new ScannedRepository(this.#folder.scanner({}), this.#folder.root, await this.#folder.write(WORKSPACE));
  }

  async close(): Promise<void> {
    await this.#folder?.remove();
  }

  async read(files: readonly string[]): Promise<ReadRepository> {
    const wishes = repositoryWishes({ repositoryMap: 'map', repositoryTokens: 3_000, repositoryWithout: '' });
    assert.ok(wishes !== null && this.#scanned !== null);
    return this.#scanned.read({ wishes, parts: ['tree', 'map'], message: '', files: new Set(files), counter: characters });
  }
}

const ACKNOWLEDGED = 'assistant: Understood. I will work with these files.';

describe('prompt assembly (non-tiered), on the wire', () => {
  const airfield = new Airfield();
  before(() => airfield.open());
  after(() => airfield.close());

  const messages = [user('u1', 'First'), assistant('a1', 'Reply'), user('u2', 'Now')];

  const requested = (change: Partial<RequestInput>): Request => requestOf(change, new BlockFactory(characters, sha256));
  const sent = (change: Partial<RequestInput>): string[] => lines(bodyOf(convertOpenAi, requested(change).prompt, IMAGES).messages);

  it('System message first with system prompt content', () => {
    const { prompt } = requested({ systemPrompt: 'You are a pilot.', messages });
    const [first, ...others] = bodyOf(convertOpenAi, prompt, IMAGES).messages;
    assert.deepEqual(first, { role: 'system', content: `${GLOBAL_PROMPT}\nYou are a pilot.` });
    assert.ok(others.every(({ role }) => role !== 'system'));
    const { system } = bodyOf(convertAnthropic, prompt, IMAGES);
    assert.equal(typeof system === 'string' ? system : system?.map(({ text }) => text).join(''), first.content);
  });

  it('Symbol map appended to system message under Repository Structure header', async () => {
    const repository = await airfield.read([]);
    for (const convert of [convertOpenAi, convertAnthropic]) {
      const { system, messages: all } = bodyOf(convert, requested({ repository, messages }).prompt, IMAGES);
      const content = system ?? all[0]?.content ?? '';
      const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
      assert.equal(text, [GLOBAL_PROMPT, ...repository.map.map((piece) => piece.text)].join('\n\n'));
      assert.match(
        text,
        /# Repository Structure\n\n.*\n\nsrc\/parts\/\n {2}wing.ts\n {4}class WingShape\n {6}bend\(angle: number\): void\n\nsrc\//,
      );
    }
  });

  it('File tree as user/assistant pair with Repository Files header', async () => {
    const repository = await airfield.read([]);
    const files = withFiles({ 'a.ts': 'a\n' });
    assert.deepEqual(sent({ ...files, repository, messages }).slice(1, 5), [...TREE, 'user: # Working Files | a.ts', ACKNOWLEDGED]);
  });

  it('Active files as user/assistant pair with Working Files header', () => {
    const files = withFiles({ 'b.ts': 'b\n', 'a.ts': 'a\n' });
    assert.deepEqual(sent({ ...files, messages }).slice(1, 3), ['user: # Working Files | a.ts | b.ts', ACKNOWLEDGED]);
  });

  it('History messages appear before current user prompt', () => {
    const files = withFiles({ 'a.ts': 'a\n' });
    assert.deepEqual(sent({ ...files, messages }).slice(3), ['user: First', 'assistant: Reply', 'user: Now']);
  });

  it('Images produce multimodal content blocks; no images produces string', () => {
    const content = (...parts: Parameters<typeof user>): unknown =>
      bodyOf(convertOpenAi, requested({ messages: [user(...parts)] }).prompt, IMAGES).messages.at(-1)?.content;
    assert.deepEqual(content('u', 'Look', image('f00d')), [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
    ]);
    assert.equal(content('u', 'Look'), 'Look');
  });

  it('estimate_prompt_tokens > 0', () => {
    assert.ok(requested({ messages: [] }).size.tokens > 0);
    assert.ok(requested({ messages }).size.tokens > requested({ messages: [] }).size.tokens);
  });
});

describe('prompt assembly (tiered), on the wire', () => {
  const airfield = new Airfield();
  before(() => airfield.open());
  after(() => airfield.close());

  /** Sends this many requests. `first`: the number of the first request that has the file or page. */
  const chatWith = (first: Readonly<Record<string, number>>, requests: number, repository: RepositoryTexts): Prompt => {
    const chat = new TieredChat();
    const ask = (at: number): Prompt => {
      const names = Object.keys(first).filter((name) => at >= (first[name] ?? 0));
      return chat.ask(Object.fromEntries(names.map((name) => [name, `${name}\n`])), { repository }).prompt;
    };
    return Array.from({ length: requests }, (_, at) => ask(at + 1)).at(-1)!;
  };

  /** The system message and the messages. A star is a `cache_control`. */
  const sent = (first: Readonly<Record<string, number>>, requests: number): string[] => sentWith(first, requests, NO_REPOSITORY);
  const sentWith = (first: Readonly<Record<string, number>>, requests: number, repository: RepositoryTexts): string[] => {
    const { system, messages } = bodyOf(convertAnthropic, chatWith(first, requests, repository), IMAGES);
    return lines([{ role: 'system', content: system ?? '' }, ...messages]).map((line) => line.replace(GLOBAL_PROMPT, 'global'));
  };

  const said = (from: number, to: number, star: '' | '*'): string[] =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((at) => [
      `user: Question ${String(at)}`,
      `assistant: Answer ${String(at)}${at === to ? star : ''}`,
    ]);

  const ADDRESS = 'https://tides.example/';

  it('Graduated files excluded from active files section', () => {
    const body = sent({ 'a.ts': 1, 'b.ts': 3 }, 4);
    assert.deepEqual(body.slice(1, 4), ['user: # Reference Files | a.ts', `${ACKNOWLEDGED}*`, 'user: # Working Files | b.ts']);
  });

  it('All files graduated → no Working Files section', () => {
    const body = sent({ 'a.ts': 1, 'b.ts': 1 }, 4);
    assert.equal(body[1], 'user: # Reference Files | a.ts | b.ts');
    assert.ok(body.every((line) => !line.includes('Working Files')));
  });

  it('L0 system message has cache_control when no L0 history', () => {
    const [system, next] = sent({ 'a.ts': 1 }, 13);
    assert.deepEqual([system, next], ['system: global | # Reference Files | a.ts*', 'user: Question 1']);
  });

  it('L0 with history: cache_control on last history message, not system', () => {
    const [system, ...history] = sent({}, 14);
    assert.deepEqual([system, ...history.slice(0, 3)], ['system: global', 'user: Question 1', 'assistant: Answer 1*', 'user: Question 2']);
  });

  const MAP = ['user: # Repository Structure | src/parts/ | src/', 'assistant: Understood. I know the structure of the repository.'];

  it('L1 block produces user/assistant pair containing symbol content', async () => {
    const repository = await airfield.read([]);
    const [asked, understood] = MAP;
    assert.deepEqual(sentWith({}, 1, repository), ['system: global*', asked, `${String(understood)}*`, ...TREE, 'user: Question 1']);
  });

  it('File tree, URL context, active files included at correct positions', async () => {
    const repository = await airfield.read([]);
    assert.deepEqual(sentWith({ 'z.ts': 1, 'w.ts': 4, [ADDRESS]: 1 }, 4, repository), [
      ...['system: global*', MAP[0], `${String(MAP[1])}*`],
      ...['user: # Reference Files | z.ts', `${ACKNOWLEDGED}*`],
      ...TREE,
      ...[`user: # Web Pages | ${ADDRESS}`, 'assistant: Understood. I will use the content of these web pages.'],
      ...['user: # Working Files | w.ts', ACKNOWLEDGED],
      ...said(1, 3, ''),
      'user: Question 4',
    ]);
  });

  it('Empty tiers produce no messages', () => {
    const cached = ['user: # Reference Files | a.ts', `${ACKNOWLEDGED}*`, ...said(1, 3, '*')];
    assert.deepEqual(sent({ 'a.ts': 1 }, 7), ['system: global*', ...cached, ...said(4, 6, ''), 'user: Question 7'], 'only L2 and L3');
    assert.deepEqual(sent({}, 1), ['system: global*', 'user: Question 1']);
  });

  it('Active history appears after active files, before user prompt', () => {
    const working = ['user: # Working Files | a.ts', ACKNOWLEDGED];
    assert.deepEqual(sent({ 'a.ts': 3 }, 3), ['system: global*', ...working, ...said(1, 2, ''), 'user: Question 3']);
  });

  it('Multi-tier message order; each non-empty cached tier has a cache_control breakpoint', () => {
    assert.deepEqual(sent({ 'z.ts': 1, 'y.ts': 4, 'x.ts': 10, 'w.ts': 13, [ADDRESS]: 1 }, 13), [
      'system: global | # Reference Files | z.ts*',
      ...['user: # Reference Files | y.ts', ACKNOWLEDGED, ...said(1, 3, '*')],
      ...said(4, 6, '*'),
      ...['user: # Reference Files | x.ts', ACKNOWLEDGED, ...said(7, 9, '*')],
      ...[`user: # Web Pages | ${ADDRESS}`, 'assistant: Understood. I will use the content of these web pages.'],
      ...['user: # Working Files | w.ts', ACKNOWLEDGED],
      ...said(10, 12, ''),
      'user: Question 13',
    ]);
  });
});

describe('prompt assembly (tiered) with tiers from the reference graph, on the wire', () => {
  const airfield = new Airfield();
  before(() => airfield.open());
  after(() => airfield.close());

  const FILES = ['README.md', 'src/parts/wing.ts', 'src/plane.ts', 'src/pilot.ts', 'src/hangar.ts'];

  /** A chat whose requests have these files, and the map for them. */
  class MappedChat extends TieredChat {
    readonly #files: readonly string[];

    constructor(files: readonly string[]) {
      super();
      this.#files = files;
    }

    /** Returns the lines of the next request. L0 takes files until it has `target` tokens. */
    async next(target: number, edited: Readonly<Record<string, string>>): Promise<string[]> {
      const { links: fileLinks, ...repository } = await airfield.read(this.#files);
      const files = { ...Object.fromEntries(this.#files.map((path) => [path, CONTENTS.get(path) ?? ''])), ...edited };
      const { system, messages } = bodyOf(
        convertAnthropic,
        this.ask(files, { repository, fileLinks, ...withTarget(target) }).prompt,
        IMAGES,
      );
      return lines([{ role: 'system', content: system ?? '' }, ...messages]).map((line) => line.replace(GLOBAL_PROMPT, 'global'));
    }
  }

  /** A target that L0 reaches with one file. */
  const ONE_FILE = GLOBAL_PROMPT.length + 1;
  const MAP = ['user: # Repository Structure | src/', 'assistant: Understood. I know the structure of the repository.*'];
  const tier = (files: string): string[] => [`user: # Reference Files | ${files}`, `${ACKNOWLEDGED}*`];
  const working = (files: string): string[] => [`user: # Working Files | ${files}`, ACKNOWLEDGED];
  const together = tier('src/pilot.ts | src/plane.ts');

  it('Stability tracker starts empty — tiers rebuild from reference graph on first request', async () => {
    assert.deepEqual(await new MappedChat(FILES).next(ONE_FILE, {}), [
      'system: global | # Reference Files | src/parts/wing.ts*',
      ...[...MAP, ...together, ...tier('src/hangar.ts')],
      ...[...TREE, ...working('README.md'), 'user: Question 1'],
    ]);
  });

  it('L0 takes no files when tools and system prompt reach the target', async () => {
    const [system, ...rest] = await new MappedChat(['src/parts/wing.ts']).next(0, {});
    assert.deepEqual([system, rest.slice(2)], ['system: global*', [...tier('src/parts/wing.ts'), ...TREE, 'user: Question 1']]);
  });

  it('All files in the graph → no Working Files section; empty tiers produce no messages', async () => {
    const body = await new MappedChat(['src/plane.ts', 'src/pilot.ts']).next(0, {});
    assert.deepEqual(body.slice(3), [...together, ...TREE, 'user: Question 1']);
  });

  it('Files keep the tiers of the first request while they stay the same', async () => {
    const chat = new MappedChat(FILES);
    const before = await chat.next(ONE_FILE, {});
    const after = await chat.next(ONE_FILE, {});
    assert.deepEqual(after, [...before.slice(0, -1), 'user: Question 1', 'assistant: Answer 1', 'user: Question 2']);
  });

  it('A changed file returns to the working files, and the tiers before it stay the same', async () => {
    const chat = new MappedChat(FILES);
    await chat.next(ONE_FILE, {});
    assert.deepEqual((await chat.next(ONE_FILE, { 'src/pilot.ts': 'changed' })).slice(0, 11), [
      'system: global | # Reference Files | src/parts/wing.ts*',
      ...[...MAP, ...tier('src/plane.ts'), ...tier('src/hangar.ts')],
      ...[...TREE, ...working('README.md | src/pilot.ts')],
    ]);
  });
});
