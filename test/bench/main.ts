import { parseArgs } from 'node:util';
import { figureLines, machine, rowLines, TABLE_HEAD } from './report.js';
import { isMet, type Row } from './row.js';
import { activation } from './rows/activation.js';
import { append } from './rows/append.js';
import { awayWeekRow } from './rows/awayWeek.js';
import { away } from './rows/away.js';
import { assembly } from './rows/assembly.js';
import { catalog } from './rows/catalog.js';
import { catalogPanel } from './rows/catalogPanel.js';
import { catalogReading } from './rows/catalogReading.js';
import { compaction } from './rows/compaction.js';
import { compactionKeeps } from './rows/compactionKeeps.js';
import { compactionOpen } from './rows/compactionOpen.js';
import { countBulk } from './rows/countBulk.js';
import { countCold } from './rows/countCold.js';
import { countWorst } from './rows/countWorst.js';
import { forecasts } from './rows/forecasts.js';
import { inspector } from './rows/inspector.js';
import { keystroke } from './rows/keystroke.js';
import { layouts } from './rows/layouts.js';
import { mapCost } from './rows/mapCost.js';
import { markdown } from './rows/markdown.js';
import { open, whole } from './rows/open.js';
import { ranking } from './rows/ranking.js';
import { repeats } from './rows/repeats.js';
import { repository } from './rows/repository.js';
import { replies } from './rows/replies.js';
import { repositorySpeed } from './rows/repositorySpeed.js';
import { search } from './rows/search.js';
import { thumbnail } from './rows/thumbnail.js';
import { tools } from './rows/tools.js';
import { usage } from './rows/usage.js';

const ROWS: readonly Row[] = [
  countBulk,
  countWorst,
  countCold,
  append,
  assembly,
  keystroke,
  open,
  whole,
  activation,
  search,
  ranking,
  repository,
  repositorySpeed,
  catalog,
  catalogPanel,
  catalogReading,
  thumbnail,
  markdown,
  usage,
  inspector,
  replies,
  tools,
  compaction,
  compactionOpen,
  compactionKeeps,
  layouts,
  mapCost,
  repeats,
  forecasts,
  away,
  awayWeekRow,
];

const { values } = parseArgs({ options: { row: { type: 'string' }, json: { type: 'boolean' } } });

await bench(chosenRows(values.row), values.json === true);

function chosenRows(name: string | undefined): readonly Row[] {
  const rows = ROWS.filter((row) => name === undefined || row.name === name);
  if (rows.length === 0) {
    throw new Error(`No row is called ${String(name)}; there are ${ROWS.map((row) => row.name).join(', ')}.`);
  }
  return rows;
}

/** Prints each row of the Markdown table as soon as it is measured, or all rows as JSON. */
async function bench(rows: readonly Row[], json: boolean): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const print = (lines: readonly string[]): void => {
    process.stdout.write(json ? '' : lines.map((line) => `${line}\n`).join(''));
  };
  print([`${date}, ${machine()}`, '', ...TABLE_HEAD]);
  const results = [];
  for (const row of rows) {
    const result = await row.measure();
    print(rowLines(row, result));
    results.push({ name: row.name, job: row.job, ...result });
  }
  for (const { figures } of results) {
    print(figures === undefined ? [] : ['', ...figureLines(figures)]);
  }
  if (json) {
    process.stdout.write(`${JSON.stringify({ date, machine: machine(), rows: results }, null, 2)}\n`);
  }
  const missed = results.flatMap(({ verdicts }) => verdicts.filter((verdict) => !isMet(verdict)));
  print(['', missed.length === 0 ? 'All targets are met.' : `${String(missed.length)} targets are missed.`]);
}
