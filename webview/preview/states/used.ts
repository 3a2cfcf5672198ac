import type { ContextItemView, ReplyUses } from '../../../src/protocol/panel/requestRows.js';
import type { PreviewState } from '../state.js';
import { contextItem, fileItem, fileRow, plainRow, text } from '../views.js';
import { CONTEXT_ROWS, NEXT, QUESTION, contextRows, replied, requestRows, shown } from './parts.js';

const rule = (name: string, tokens: number): ContextItemView => contextItem(name, tokens, { file: `rule:${name}`, includeMode: 'always' });

const tool = (name: string): ContextItemView => contextItem(`git:${name}`, 112, { file: `tool:git/${name}`, includeMode: 'onDemand' });

const TOOLS = ['log', 'diff', 'show', 'status', 'add', 'commit', 'push', 'pull', 'branch'].map(tool);

const USES: ReplyUses = {
  items: 5,
  tools: TOOLS.length,
  uses: {
    'rule:Name the station in each answer': [{ how: 'quoted', where: 'Each answer names the station and the datum of its heights' }],
    'file:src/predict.ts': [
      { how: 'edited', where: 'src/predict.ts' },
      { how: 'cited', where: 'src/predict.ts:12-18' },
    ],
    'tool:git/log': [{ how: 'called', where: 'git__log {"path":"src/predict.ts"}' }],
  },
};

/** A reply that used some of its items: closed, and with its rows open. */
export function used(): readonly PreviewState[] {
  const rows = contextRows(
    [
      { type: 'rule', items: [rule('Units are metric', 24), rule('Name the station in each answer', 31)] },
      { type: 'tool', items: TOOLS },
      {
        type: 'file',
        items: [fileItem('src/predict.ts', 1_874, {}), fileItem('docs/stations.md', 903, {}), fileItem('docs/constituents.md', 2_410, {})],
      },
    ],
    CONTEXT_ROWS.blocks,
    {},
  );
  const state = {
    entries: [
      QUESTION,
      replied(
        'a1',
        [text('The sum starts in `src/predict.ts:12-18`. Each answer names the station and the datum of its heights, so I added Halden.')],
        {
          contextUsed: {
            summary: '2 rules (all always), 9 tools (all on demand), 3 files (all manual)',
            totalTokens: 7_947,
            basis: 'exact',
          },
        },
      ),
    ],
    contextRows: { a1: rows },
    replyUses: { a1: USES },
  } as const;
  return [shown('Used items', [], state), shown('Used items open', ['a1:context'], state)];
}

/** Items that differ from the last request: two changed files, a changed rule and a deleted file. */
export function changed(): PreviewState {
  const isSent = 'The next request sends the new version.';
  const rows = [
    { ...plainRow('Name the station in each answer', 'rules', 1, 31), ...{ file: 'rule:Stations', includeMode: 'always' as const } },
    fileRow('src/predict.ts', 1_894),
    fileRow('docs/stations.md', 903),
    fileRow('docs/constituents.md', 2_410),
  ];
  const gone = { type: 'file', canBeAdded: false, ...fileItem('docs/warnings.md', null, { notSelectedReason: 'missing' }) } as const;
  return shown('Changed items', ['next-request', 'next-request:rules', 'next-request:files', 'next-request:leftOut'], {
    context: [
      {
        ...{ key: 'file:src/predict.ts', name: 'src/predict.ts', files: null, tokens: 1_894 },
        warning: { kind: 'changed', text: `Changed since the last request (+20 tokens). ${isSent}` },
      },
      { key: 'file:docs/stations.md', name: 'docs/stations.md', files: null, tokens: 903, warning: null },
      {
        ...{ key: 'file:docs/warnings.md', name: 'docs/warnings.md', files: null, tokens: null },
        warning: { kind: 'deleted', text: 'Deleted since the last request. docs/warnings.md does not exist.' },
      },
    ],
    nextRequest: { ...NEXT, forecast: null, mayBeCached: true },
    nextRequestRows: requestRows('1 rule (always), 3 files (all manual)', rows, {
      changes: {
        'rule:Stations': { kind: 'changed', tokens: 0 },
        'file:src/predict.ts': { kind: 'changed', tokens: 20 },
        'file:docs/constituents.md': { kind: 'changed', tokens: -1_204 },
        'file:docs/warnings.md': { kind: 'deleted' },
      },
      notSelected: { total: 1, first: [gone] },
      available: { rule: 2, reference: 0, skill: 0, tool: 0 },
    }),
  });
}
