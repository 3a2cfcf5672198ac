import { join } from 'node:path';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { loadTestCounter } from '../../support/counters.js';
import { downloadPackage } from '../../support/setup.mjs';
import { inFolder } from '../folder.js';
import { BenchRepository, mappedFiles } from '../repositories/benchRepository.js';
import { codeBases, type CodeBase, type Question } from '../repositories/questions.js';
import { WordSearch } from '../repositories/wordSearch.js';
import type { Row } from '../row.js';

/** A model reads the begin of the map with the most attention. */
const FIRST = 10;
const COLUMNS = ['right file among the first 10, %', 'in the map, %', 'mean place in the map', 'tokens of searches', 'the same with map'];

interface Outcome {
  readonly question: Question;
  /** The place of the first right file in the map, from 1. Null if the map has none of them. */
  readonly place: number | null;
  /** Tokens of the searches that find the right file without a map. */
  readonly searched: number;
}

/** How well the map shows the file that a first message is about, in three public code bases. */
export const repository: Row = {
  name: 'repository',
  job: 'make the repository map for the first message of a chat: is the right file among its first 10?',
  async measure() {
    const counter = await loadTestCounter('o200k_base');
    const found = new Map<string, readonly Outcome[]>();
    for (const base of codeBases()) {
      found.set(base.package, await outcomes(base, counter));
    }
    const all = [...found.values()].flat();
    const tried = inSet(all, 'test');
    return {
      samples: [],
      amount: null,
      verdicts: [
        {
          what: `% of ${String(all.length)} questions with the right file among the first ${String(FIRST)}`,
          measured: share(all),
          target: { atLeast: 80 },
        },
        { what: `% of the ${String(tried.length)} that nothing was fitted to`, measured: share(tried), target: { atLeast: 80 } },
      ],
      figures: {
        title: 'The repository map for 60 questions on three code bases',
        columns: COLUMNS,
        rows: [...found, ['all', all] as const].flatMap(([name, list]) => [
          { name: `${name}, tuned`, figures: figuresOf(inSet(list, 'tune')) },
          { name: `${name}, held out`, figures: figuresOf(inSet(list, 'test')) },
        ]),
      },
    };
  },
};

function outcomes(base: CodeBase, counter: TokenCounter): Promise<readonly Outcome[]> {
  return inFolder(async (cache) => {
    const folder = join(await downloadPackage({ ...base, name: base.package }), base.folder);
    const opened = new BenchRepository(folder, join(cache, 'symbols'), counter);
    try {
      await opened.readFiles('');
      const search = new WordSearch(folder, counter);
      const results: Outcome[] = [];
      for (const question of base.questions) {
        const at = mappedFiles(await opened.map(question.text)).findIndex((path) => question.right.includes(path));
        results.push({ question, place: at === -1 ? null : at + 1, searched: search.tokensFor(question) });
      }
      return results;
    } finally {
      opened.close();
    }
  });
}

function inSet(list: readonly Outcome[], set: Question['set']): readonly Outcome[] {
  return list.filter(({ question }) => question.set === set);
}

function isFirst({ place }: Outcome): boolean {
  return place !== null && place <= FIRST;
}

function share(list: readonly Outcome[]): number {
  return (list.filter(isFirst).length / list.length) * 100;
}

function figuresOf(list: readonly Outcome[]): readonly number[] {
  const places = list.flatMap(({ place }) => place ?? []);
  return [
    share(list),
    (places.length / list.length) * 100,
    mean(places),
    mean(list.map(({ searched }) => searched)),
    mean(list.map((outcome) => (isFirst(outcome) ? 0 : outcome.searched))),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
