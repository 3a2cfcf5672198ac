import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Block } from '../../src/engine/model/block.js';
import { promptBlocks } from '../../src/engine/model/prompt.js';
import { resolveRepository, type RepositorySource } from '../../src/engine/next/repository.js';
import { fileTree } from '../../src/engine/repository/fileTree.js';
import { RepositoryIndex } from '../../src/engine/repository/repositoryIndex.js';
import { mapPieces, repositoryPart, treePieces } from '../../src/engine/repository/repositoryTexts.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { inRuns } from '../support/forAll.js';
import { user } from '../support/engine/messages.js';
import { characters, NO_PAUSE } from '../support/engine/ports.js';
import { RecordedChat, withFiles } from '../support/engine/requests.js';
import { situationAfter } from '../support/engine/situations.js';
import { CACHING_MODEL, exchanges } from '../support/engine/tieredChat.js';

type LayoutName = keyof typeof LAYOUTS;

const NAMES = Object.keys(LAYOUTS) as LayoutName[];
const TURNS = 30;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CONFIG = { repositoryMap: 'map', repositoryTokens: 12_000, repositoryWithout: '' } as const;
/** The first two files are in the context of the chat, so the map omits their definitions. */
const PATHS = Array.from({ length: 48 }, (_, at) => `lib${String(at % 6)}/part${String(at % 3)}/file${String(at)}.ts`);
const CONTEXT = PATHS.slice(0, 2);

/** A workspace in which each file has a definition that the next file uses. */
class Workspace implements RepositorySource {
  readonly #index = new RepositoryIndex((word) => word);
  readonly #versions = new Map<string, number>();

  constructor() {
    PATHS.forEach((path) => {
      this.edit(path);
    });
  }

  edit(path: string): void {
    const at = PATHS.indexOf(path);
    this.#versions.set(path, (this.#versions.get(path) ?? 0) + 1);
    const signature = `function made${String(at)}(version${String(this.#versions.get(path))}: string)`;
    const definition = { name: `made${String(at)}`, kind: 'function', line: 1, signature, container: null, isLocal: false } as const;
    this.#index.put({ path, symbols: { definitions: [definition], references: new Map([[`made${String(at + 1)}`, 1]]), words: '' } });
  }

  contextFiles(): Record<string, string> {
    return Object.fromEntries(CONTEXT.map((path) => [path, `version ${String(this.#versions.get(path))}`]));
  }

  read: RepositorySource['read'] = async ({ wishes, parts, message, files, counter }) => {
    const folders = await this.#index.map({ message, files, without: [], most: wishes.most.map, counter }, NO_PAUSE);
    const tree = fileTree(PATHS, wishes.most.tree, (text) => counter.count(text));
    return {
      tree: parts.includes('tree') && tree !== null ? treePieces(wishes, tree) : [],
      map: parts.includes('map') ? mapPieces(wishes, folders) : [],
      links: await this.#index.links(files, NO_PAUSE),
    };
  };
}

class MappedChat {
  readonly workspace = new Workspace();
  readonly #chat = new RecordedChat();
  readonly #layout: LayoutName;
  #turns = 0;

  constructor(layout: LayoutName) {
    this.#layout = layout;
  }

  /** Returns the blocks of the next request, this long after the last one. */
  async next(idleMs: number): Promise<readonly Block[]> {
    this.#turns += 1;
    const situation = situationAfter(this.#chat, idleMs);
    const messages = [...exchanges(1, this.#turns - 1), user(`u${String(this.#turns)}`, `Question ${String(this.#turns)}`)];
    const { texts: repository, links: fileLinks } = await resolveRepository(
      {
        ...{ config: CONFIG, model: CACHING_MODEL, situation, budget: 100_000, mustRebuild: false, hasInstruction: false },
        ...{ message: 'Go on', files: new Set(CONTEXT), counter: characters },
      },
      this.workspace,
    );
    const files = withFiles(this.workspace.contextFiles());
    const content = { model: CACHING_MODEL, layout: LAYOUTS[this.#layout], situation, messages, repository, fileLinks, ...files };
    return promptBlocks(this.#chat.send(content).prompt);
  }
}

function isMap({ key }: Block): boolean {
  return repositoryPart(key.replace(/^system:/, '')) === 'map';
}

/** The blocks up to the end of the definitions. `tiered` moves files and messages into L0, which comes before them. */
function upToMap(blocks: readonly Block[]): readonly string[] {
  return blocks
    .slice(0, blocks.findLastIndex(isMap) + 1)
    .filter(({ tier, category }) => tier !== 'L0' || (category !== 'files' && category !== 'conversation'))
    .map(({ hash }) => hash);
}

const anyEdits = fc.array(fc.array(fc.constantFrom(...PATHS), { maxLength: 3 }), { minLength: TURNS - 1, maxLength: TURNS - 1 });

describe('the repository map of any chat', () => {
  for (const layout of NAMES) {
    it(`stays the same with all before it while files change and the cache is warm (layout ${layout})`, () =>
      inRuns(5).forAllAsync(anyEdits, fc.integer({ min: 0, max: 4 * MINUTE }), async (edits, idleMs) => {
        const chat = new MappedChat(layout);
        const first = upToMap(await chat.next(0));
        assert.ok(first.length > 6, 'it has the definitions of several folders');
        for (const edited of edits) {
          edited.forEach((path) => {
            chat.workspace.edit(path);
          });
          assert.deepEqual(upToMap(await chat.next(idleMs)), first);
        }
      }));

    it(`has one other block after an edit of one file, when it is made again (layout ${layout})`, () =>
      inRuns(20).forAllAsync(fc.constantFrom(...PATHS), async (path) => {
        const chat = new MappedChat(layout);
        const before = (await chat.next(0)).filter(isMap);
        chat.workspace.edit(path);
        const after = (await chat.next(2 * HOUR)).filter(isMap);
        assert.equal(after.length, before.length);
        const changed = after.filter(({ hash }, at) => hash !== before[at]?.hash).map(({ key }) => key.replace(/^system:/, ''));
        const folder = path.slice(0, path.lastIndexOf('/') + 1);
        assert.deepEqual(changed, CONTEXT.includes(path) ? [] : [`repository:map/${folder}`]);
      }));
  }
});
