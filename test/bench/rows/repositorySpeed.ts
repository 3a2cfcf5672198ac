import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTestCounter } from '../../support/counters.js';
import { inFreshProcess } from '../child.js';
import { inFolder } from '../folder.js';
import { medianOf, processorTime, race } from '../race.js';
import { BenchRepository } from '../repositories/benchRepository.js';
import { writeManyFiles } from '../repositories/manyFiles.js';
import { codeBases } from '../repositories/questions.js';
import type { Row } from '../row.js';

const FILES = 2_000;
const FIRST = 'the first map';
const STALL = 'the longest work of the main thread meanwhile';
const EDITED = 'the map after one edit';
const OTHER = 'the map for another message';

/** The processor time of all threads for repository maps, with the default number of tokens. */
export const repositorySpeed: Row = {
  name: 'repository-speed',
  job: `make the repository map of at least ${FILES.toLocaleString('en')} source files`,
  measure: () =>
    inFolder(async (folder) => {
      const paths = await writeManyFiles(join(folder, 'root'), FILES);
      const root = join(folder, 'root');
      const first = await race(
        [
          { name: FIRST, run: () => inFreshProcess('first-map', root) },
          { name: STALL, run: () => inFreshProcess('first-map-stall', root) },
        ],
        { rounds: 2 },
      );
      const questions = codeBases().flatMap((base) => base.questions.map(({ text }) => text));
      const opened = new BenchRepository(root, join(folder, 'symbols'), await loadTestCounter('o200k_base'));
      const [message = ''] = questions;
      await opened.readFiles(message);
      let [edits, messages] = [0, 0];
      const later = await race(
        [
          {
            name: EDITED,
            run: async () => {
              edits += 1;
              const path = paths[(edits * 97) % paths.length] ?? '';
              await appendFile(join(root, path), '\n');
              opened.change(path);
              return processorTime(1, () => opened.readFiles(message));
            },
          },
          {
            name: OTHER,
            run: () => processorTime(1, () => opened.map(`${questions[(messages += 1) % questions.length] ?? ''} ${String(messages)}`)),
          },
        ],
        { rounds: 15 },
      );
      opened.close();
      const samples = [...first, ...later];
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 's for the first map', measured: medianOf(samples, FIRST) / 1_000, target: { atMost: 30 } },
          { what: 'ms that it blocks the host', measured: medianOf(samples, STALL), target: { atMost: 50 } },
          { what: 'ms for the map after one edit', measured: medianOf(samples, EDITED), target: { atMost: 100 } },
          { what: 'ms for the map of another message', measured: medianOf(samples, OTHER), target: { atMost: 100 } },
        ],
      };
    }),
};
