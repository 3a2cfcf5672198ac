import type { Item, Version } from './content.js';
import type { LogNormal, Random } from './random.js';

const SIZE: LogNormal = { median: 1_400, sigma: 0.9, least: 300, most: 8_000 };
export const EDIT: LogNormal = { median: 220, sigma: 0.7, least: 40, most: 1_500 };
/** The power makes a few files get most edits. The minimum is for the others. */
const HEAT_POWER = 4;
const LEAST_HEAT = 0.003;
/** An edit changes the size of a file by +0.6 to -0.4 of its own size, but not below the least size. */
const MOST_SHRUNK = 0.4;
const LEAST_SIZE = 200;

interface SimulatedFile {
  readonly path: string;
  readonly heat: number;
  /** Oldest first, at least one. */
  readonly versions: Version[];
}

export class SimulatedFiles {
  readonly #random: Random;
  readonly #files: SimulatedFile[] = [];
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get count(): number {
    return this.#files.length;
  }

  add(): void {
    const path = `f${String(this.#made)}`;
    this.#made += 1;
    const tokens = this.#random.logNormal(SIZE);
    const heat = this.#random.next() ** HEAT_POWER + LEAST_HEAT;
    this.#files.push({ path, heat, versions: [{ hash: `${path}@0`, tokens, delta: 0 }] });
  }

  edit(): void {
    let place = this.#files.reduce((sum, { heat }) => sum + heat, 0) * this.#random.next();
    const hit = this.#files.find(({ heat }) => (place -= heat) <= 0) ?? this.#files[0];
    const before = hit?.versions.at(-1);
    if (hit === undefined || before === undefined) {
      return;
    }
    const delta = this.#random.logNormal(EDIT);
    const tokens = Math.max(LEAST_SIZE, before.tokens + Math.round((this.#random.next() - MOST_SHRUNK) * delta));
    hit.versions.push({ hash: `${hit.path}@${String(hit.versions.length)}`, tokens, delta });
  }

  drop(): void {
    this.#files.splice(this.#random.integer([0, this.#files.length - 1]), 1);
  }

  items(): Item[] {
    return this.#files.flatMap(({ path, versions }) => {
      const now = versions.at(-1);
      return now === undefined
        ? []
        : [
            {
              id: `file:${path}`,
              kind: 'file',
              speech: null,
              role: 'user',
              hash: now.hash,
              tokens: now.tokens,
              versions: [...versions],
              isChosen: false,
            },
          ];
    });
  }
}
