import { isObject, type Json, type JsonObject, parseForeignJson } from '../json.js';

/*
 * A Jupyter notebook as text for a model: its cells. The file itself is JSON, mostly images in base64. The text has the
 * percent format of Jupytext and VS Code, which models know from scripts:
 *
 *     # %% [markdown]
 *     The heights of a week.
 *
 *     # %%
 *     plot(heights)
 *
 * Shape of the file: https://nbformat.readthedocs.io/en/latest/format_description.html
 */

export interface NotebookCell {
  readonly isCode: boolean;
  readonly text: string;
  /** What the code printed. For an output that is not text, its type in parentheses. */
  readonly outputs: readonly string[];
}

/** Whether a model gets the outputs of code cells. Without outputs, their number. */
export type ShownOutputs = 'all' | 'number';

export function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Returns the cells of a notebook of format 4; null for another content. Skips cells that are not valid. */
export function notebookCells(content: string): readonly NotebookCell[] | null {
  const notebook = parseForeignJson(content);
  const cells = isObject(notebook) ? notebook['cells'] : undefined;
  if (!isList(cells)) {
    return null;
  }
  return cells.filter(isObject).flatMap((cell) => {
    const text = joinedLines(cell['source']);
    const outputs = isList(cell['outputs']) ? cell['outputs'].filter(isObject) : [];
    return text === null ? [] : [{ isCode: cell['cell_type'] === 'code', text, outputs: outputs.map(outputText) }];
  });
}

export function notebookText(cells: readonly NotebookCell[], outputs: ShownOutputs): string {
  return cells.map((cell) => `${cell.isCode ? '# %%' : '# %% [markdown]'}\n${cell.text}\n${outputsText(cell, outputs)}`).join('\n');
}

function outputsText({ outputs }: NotebookCell, shown: ShownOutputs): string {
  if (outputs.length === 0) {
    return '';
  }
  return shown === 'all' ? `# Output:\n${outputs.join('\n')}\n` : `# (outputs not shown: ${String(outputs.length)})\n`;
}

/** Returns the text of an output: printed text, an error, or the plain text of a result. Otherwise its type. */
function outputText({ output_type: type, text, traceback, data }: JsonObject): string {
  const rich = isObject(data) ? data : {};
  const [other = 'unknown'] = Object.keys(rich).filter((name) => name !== 'text/plain');
  const note = isObject(data) && other !== 'unknown' ? `(${other})` : null;
  const printed = joinedLines(text) ?? (isList(traceback) ? joinedRows(traceback) : joinedLines(rich['text/plain']));
  const shown = [printed, note].filter((part) => part !== null).join('\n');
  return shown === '' ? `(${typeof type === 'string' ? type : 'unknown output'})` : shown;
}

/** Returns a text that a notebook stores as one string, or as lines with their line breaks. Null for other values. */
function joinedLines(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : isList(value) ? value.filter((line) => typeof line === 'string').join('') : null;
}

/** Joins the lines of an error. Removes colors, which notebooks store as terminal escape sequences. */
function joinedRows(rows: readonly Json[]): string {
  const [first = '', ...colored] = rows
    .filter((row) => typeof row === 'string')
    .join('\n')
    .split('\u001B');
  return [first, ...colored.map((text) => text.replace(/^\[[0-9;]*m/, ''))].join('');
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
