import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { numbered } from '../../../src/host/tools/workspace/readFile.js';
import { loadTestCounter } from '../../support/counters.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';
import { sha256 } from '../../support/engine/ports.js';
import { PLAIN, requestOf } from '../../support/engine/requests.js';
import { root } from '../../support/paths.mjs';
import type { Row } from '../row.js';

const STEPS = 30;
const FILES = ['arrange', 'fit', 'gather', 'optimize', 'rebuild'].map((name) => `src/engine/request/${name}.ts`);

/** Returns the paths that a step reads, and whether an edit changed a line of each file before. */
interface Loop {
  readonly name: string;
  readonly paths: (step: number) => readonly string[];
  readonly isEdited: boolean;
}

const inTurn = (step: number): readonly string[] => FILES.slice(step % FILES.length).slice(0, 1);

const LOOPS: readonly Loop[] = [
  { name: 'one of five files in each step', paths: inTurn, isEdited: false },
  { name: 'all five files in each step', paths: () => FILES, isEdited: false },
  { name: 'one of five files in each step, after an edit', paths: inTurn, isEdited: true },
];

/** The input of tool loops that read the same files again, with and without references to earlier results. */
export const repeats: Row = {
  name: 'repeats',
  job: `the input tokens of all requests in loops of ${String(STEPS)} steps that read the same five files`,
  async measure() {
    const factory = new BlockFactory(await loadTestCounter('o200k_base'), sha256);
    const contents = await Promise.all(FILES.map((path) => readFile(join(root, path), 'utf8')));
    const files = new Map(FILES.map((path, at) => [path, contents[at] ?? '']));
    const rows = LOOPS.map((loop) => {
      const [full, references] = (['full', 'references'] as const).map((form) => inputOf(loop, files, form, factory));
      return { name: loop.name, figures: [full ?? NaN, references ?? NaN, (references ?? NaN) / (full ?? NaN)] };
    });
    return {
      samples: [],
      amount: null,
      verdicts: rows.map(({ name, figures }) => ({
        what: `${name}, share of the input`,
        measured: figures[2] ?? NaN,
        target: { atMost: 0.5 },
      })),
      figures: { title: `Input tokens of ${String(STEPS)} requests`, columns: ['in full', 'as references', 'share'], rows },
    };
  },
};

/** Returns the sum of the tokens of all requests of a loop. */
function inputOf(
  { paths, isEdited }: Loop,
  files: ReadonlyMap<string, string>,
  repeatedContent: 'full' | 'references',
  factory: BlockFactory,
): number {
  const messages: SentMessage[] = [user('u', 'Find the bug, and correct it.')];
  let sum = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const read = paths(step);
    const id = (at: number): string => `c${String(step)}-${String(at)}`;
    const contentOf = (path: string): string => `${isEdited ? `// Edit ${String(step)}\n` : ''}${files.get(path) ?? ''}`;
    const shown = (path: string): string => numbered(contentOf(path), [1, Infinity], 'file');
    messages.push(
      assistant(`a${String(step)}`, ...read.map((path, at) => ({ ...call(id(at), { path }), name: 'read_file' }))),
      results(`r${String(step)}`, ...read.map((path, at) => ({ ...result(id(at), text(shown(path))), name: 'read_file' }))),
    );
    sum += requestOf({ messages, layoutOptions: { ...PLAIN.layoutOptions, repeatedContent } }, factory).size.counted;
  }
  return sum;
}
