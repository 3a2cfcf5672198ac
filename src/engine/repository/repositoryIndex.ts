import { LexicalIndex } from '../context/rank/lexical.js';
import { SOURCE_BACKGROUND, type Stem } from '../context/rank/words.js';
import type { Pause, TokenCounter } from '../ports.js';
import { isSame } from '../same.js';
import { fileLinks, type FileLinks } from './fileLinks.js';
import { wordShares } from './fileWords.js';
import { referenceGraph, type ReferenceGraph } from './referenceGraph.js';
import { mapOf, planMap, type FolderMap, type MapPlan, type MapWishes } from './repositoryMap.js';
import type { FileSymbols, ScannedFile } from './symbols.js';

/** What the map of a request is about. */
export interface MapSubject {
  /** The message of the user, or an empty text. */
  readonly message: string;
  /** Paths of the files in the chat's context. */
  readonly files: ReadonlySet<string>;
  /** Folders that the map omits, with a slash at the end. */
  readonly without: readonly string[];
  /** Maximum number of tokens of the map. */
  readonly most: number;
  readonly counter: TokenCounter;
}

interface KnownPlan {
  readonly graph: ReferenceGraph;
  readonly subject: Omit<MapSubject, 'counter'>;
  readonly counterId: string;
  readonly plan: MapPlan;
}

/** Number of files that the words of a message can select. More would dilute the map. */
const MOST_MATCHES = 20;

/** Share of files that change before the files are ranked again. Until then, a changed file changes only its folder. */
const RANKED_AGAIN = 0.05;

/** Number of plans that are kept: those of a few chats. */
const MOST_PLANS = 8;

/** The symbols of a workspace, and the maps of its chats. */
export class RepositoryIndex {
  readonly #symbols = new Map<string, FileSymbols>();
  readonly #stem: Stem;
  readonly #words: LexicalIndex;
  #graph: ReferenceGraph | null = null;
  /** Number of files that have changed since the graph was made. */
  #changed = 0;
  #plans: readonly KnownPlan[] = [];

  constructor(stem: Stem) {
    this.#stem = stem;
    this.#words = new LexicalIndex(stem, SOURCE_BACKGROUND);
  }

  /** Adds or replaces a file. A file without symbols is in no map. */
  put({ path, symbols }: Pick<ScannedFile, 'path' | 'symbols'>): void {
    this.#changed += 1;
    if (symbols === null) {
      this.#symbols.delete(path);
      this.#words.delete(path);
      return;
    }
    this.#symbols.set(path, symbols);
    this.#words.putShares(path, wordShares(path, symbols.words, this.#stem));
  }

  delete(path: string): void {
    if (this.#symbols.delete(path)) {
      this.#changed += 1;
      this.#words.delete(path);
    }
  }

  /** Returns the map, the folder of the best file first. */
  async map({ counter, ...subject }: MapSubject, pause: Pause): Promise<readonly FolderMap[]> {
    const graph = await this.#ranked(pause);
    const known = this.#plans.find((each) => each.graph === graph && each.counterId === counter.id && isSame(each.subject, subject));
    const plan =
      known?.plan ?? (await planMap(graph, this.#symbols, this.#wishes(subject), { count: (text) => counter.count(text), pause }));
    if (known === undefined) {
      this.#plans = [{ graph, counterId: counter.id, subject, plan }, ...this.#plans].slice(0, MOST_PLANS);
    }
    return mapOf(plan, this.#symbols);
  }

  /** The best match with the message weighs as much as a file of the chat. */
  #wishes({ message, files, without, most }: KnownPlan['subject']): MapWishes {
    const matches = this.#words.rankLong(message, MOST_MATCHES);
    const best = matches[0]?.score ?? 1;
    const wanted = new Map([
      ...matches.map(({ key, score }) => [key, score / best] as const),
      ...[...files].map((path) => [path, 1] as const),
    ]);
    return { wanted, held: files, without, most };
  }

  /** Returns how these files are connected to other files. */
  async links(files: ReadonlySet<string>, pause: Pause): Promise<FileLinks> {
    return fileLinks(await this.#ranked(pause), files);
  }

  async #ranked(pause: Pause): Promise<ReferenceGraph> {
    if (this.#graph === null || this.#changed > RANKED_AGAIN * this.#symbols.size) {
      this.#changed = 0;
      this.#graph = await referenceGraph(new Map(this.#symbols), pause);
    }
    return this.#graph;
  }
}
