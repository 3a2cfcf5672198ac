import type { ContextItemView } from '../../../src/protocol/panel/contextItems.js';
import type { ReplyUses } from '../../../src/protocol/panel/replyUses.js';
import type { PreviewState } from '../state.js';
import { contextItem, fileItem, text } from '../views.js';
import { CONTEXT_ROWS, QUESTION, contextRows, replied, shown } from './parts.js';

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
