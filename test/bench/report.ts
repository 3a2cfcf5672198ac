import { arch, cpus, platform, totalmem } from 'node:os';
import { isMet, type FigureTable, type Row, type RowResult, type Verdict } from './row.js';

const GIB = 2 ** 30;

export function machine(): string {
  const [cpu] = cpus();
  const memory = (totalmem() / GIB).toFixed(0);
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${String(cpus().length)} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.version}`;
}

/** Returns a row as lines of a Markdown table: each contestant, then each ratio with its target. */
export function rowLines(row: Row, { samples, amount, verdicts }: RowResult): string[] {
  const measured = samples.map(({ name, median, quartiles }) => {
    const rate = amount === null ? '' : ` (${figure(amount.value / (median / 1_000))} ${amount.unit}/s)`;
    return `| ${name} | ${ms(median)}${rate} | ${quartiles.map(ms).join(' to ')} | |`;
  });
  const judged = verdicts.map(
    (verdict) => `| ${verdict.what} | **${figure(verdict.measured)}** | | ${wanted(verdict)} ${isMet(verdict) ? '✔' : '✘'} |`,
  );
  return [`| **${row.job}** (\`${row.name}\`) | | | |`, ...measured, ...judged];
}

export const TABLE_HEAD = ['| job, contestant or ratio | median | half of the runs | target |', '|---|---|---|---|'];

export function figureLines({ title, columns, rows }: FigureTable): string[] {
  const line = (name: string, cells: readonly string[]): string => `| ${[name, ...columns.map((_, at) => cells[at] ?? '')].join(' | ')} |`;
  return [
    title,
    '',
    line('', columns),
    `|---|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(row.name, row.figures.map(figure))),
  ];
}

function wanted({ target }: Verdict): string {
  return 'atLeast' in target ? `≥ ${figure(target.atLeast)}` : `≤ ${figure(target.atMost)}`;
}

function ms(value: number): string {
  return `${figure(value)} ms`;
}

/** Three significant digits: noise hides the rest. */
function figure(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : Number(value.toPrecision(3)).toString();
}
