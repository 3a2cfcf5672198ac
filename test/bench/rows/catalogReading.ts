import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { longestWork } from '../../support/longestWork.js';
import { inFreshProcess } from '../child.js';
import { inFolder } from '../folder.js';
import { medianOf, processorTime, race, sampleOf } from '../race.js';
import { FILES, openCatalog, writeRuleWorkspace } from '../ruleWorkspace.js';
import type { Row } from '../row.js';

const FIRST = 'read all rules, with the search for rules in subfolders';
const STALL = 'the longest work of the main thread meanwhile';
const AGAIN = 'read them again after a change of one rule';
const AGAIN_STALL = 'the longest work after a change of one rule';
const CHANGES = 60;
/** The first changes let V8 compile the code. */
const WARM_UP = 5;

/** Reads the catalog of a large workspace: at first in a new process, then after changes of single rules. */
export const catalogReading: Row = {
  name: 'catalog-reading',
  job: `read the 200 rules of a workspace of ${FILES.toLocaleString('en')} files, in a fresh process`,
  measure: () =>
    inFolder(async (root) => {
      const rules = await writeRuleWorkspace(root);
      const first = await race(
        [
          { name: FIRST, run: () => inFreshProcess('catalog-first', root) },
          { name: STALL, run: () => inFreshProcess('catalog-first-stall', root) },
        ],
        { rounds: 5 },
      );
      const catalog = openCatalog(root);
      await catalog.rank('', 1, { chat: { agent: '', workspaceTools: 'on' }, loadsTools: false });
      const [times, works]: [number[], number[]] = [[], []];
      for (let change = 0; change < CHANGES; change += 1) {
        const place = join(root, rules[(change * 37) % rules.length] ?? '');
        await appendFile(place, `\nChange ${String(change)}.`);
        catalog.changed({ place, isThere: true });
        const read = (): Promise<unknown> => catalog.read();
        // Measuring the longest work takes time, too.
        if (change % 2 === 0) {
          times.push(await processorTime(1, read));
        } else {
          works.push(await longestWork(read));
        }
      }
      const samples = [...first, sampleOf(AGAIN, times.slice(WARM_UP)), sampleOf(AGAIN_STALL, works.slice(WARM_UP))];
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'ms to read all rules', measured: medianOf(samples, FIRST), target: { atMost: 1_000 } },
          { what: 'ms that this blocks the host', measured: medianOf(samples, STALL), target: { atMost: 50 } },
          { what: 'ms after a change of one rule', measured: medianOf(samples, AGAIN), target: { atMost: 20 } },
          { what: 'ms that this blocks the host', measured: medianOf(samples, AGAIN_STALL), target: { atMost: 50 } },
        ],
      };
    }),
};
