import type { ContextChip } from '../../../src/protocol/panel/composer.js';
import type { ContextItemView, NotSelectedItems, NotSelectedView, BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PreviewState } from '../state.js';
import { NEXT, QUESTION, contextRows, replied, requestRows, shown, shownAfter } from './parts.js';
import { EMPTY_PANEL, contextItem, plainRow, text, withMessage } from '../views.js';

const SHARES: NextRequestView['shares'] = [
  { category: 'system', tokens: 412 },
  { category: 'rules', tokens: 864 },
  { category: 'skills', tokens: 288 },
  { category: 'conversation', tokens: 2_310 },
];

const out = (type: 'rule' | 'reference', name: string, score: number | null, notSelectedReason: string): NotSelectedView => ({
  ...contextItem(name, null, { file: `${type}:${name}`, includeMode: 'agent', score, notSelectedReason }),
  ...{ type, canBeAdded: !/switched|limit/.test(notSelectedReason) },
});

const LEFT_OUT: NotSelectedItems = {
  total: 48,
  first: [
    out('rule', 'Everything', null, '5.0 MB, over the limit'),
    out('reference', 'Database schema', 0.31, 'score 0.31, not in the top 2'),
    out('rule', 'Release notes', 0.22, 'score 0.22, below 0.30'),
    out('rule', 'Commit messages', null, 'score below 0.30'),
    out('rule', '.cursor/rules/styles/naming-of-classes.mdc', null, 'applies to other files'),
    out('rule', 'Old rules', null, 'switched off'),
  ],
};

const REMARKS = [
  {
    text: 'Loupe cannot read the front matter of .loupe/rules/units.md, line 4: Missing closing "quote.',
    ...{ path: '.loupe/rules/units.md', line: 4 },
  },
];

const rule = (name: string, score: number | null): ContextItemView =>
  contextItem(name, 288, { file: `rule:${name}`, includeMode: score === null ? 'always' : 'agent', score });

const block = ({ name, file, includeMode, score }: ContextItemView): BlockView => ({
  ...plainRow(name, 'rules', 1, 288),
  ...{ file, includeMode, score },
});

const PICKS = [
  withMessage('pick', 'Benchmarks, not timed tests', 288, { key: 'pick:rule:Benchmarks, not timed tests', score: 0.87, price: 0.0009 }),
  withMessage('pick', 'spreadsheets', 288, { key: 'pick:skill:spreadsheets', score: 0.52, price: 0.0009 }),
];

/** Rules and references: picked for a message, kept from an earlier message, and not selected. */
export function picked(): PreviewState {
  const rules = [rule('AGENTS.md', null), rule('Benchmarks, not timed tests', 0.87)];
  const carried: BlockView = {
    ...block(rule('Unicode versions', 0.61)),
    label: 'Unicode versions (picked for an earlier message)',
    includeMode: null,
    isEarlier: true,
  };
  const skill: BlockView = { ...block(rule('spreadsheets', 0.52)), file: 'skill:spreadsheets', category: 'skills' };
  const blocks = [...rules.map(block), carried, skill];
  return shown(
    'Picked rules',
    ['a1:context', 'next-request', ...['rules', 'skills', 'earlier', 'leftOut'].map((group) => `next-request:${group}`)],
    {
      entries: [
        QUESTION,
        replied('a1', [text('Ratios, in one run.')], {
          contextUsed: { summary: '2 rules (1 agent, 1 always)', totalTokens: 1_161, basis: 'exact' },
        }),
      ],
      withMessage: PICKS,
      nextRequest: {
        ...NEXT,
        newItems: [{ key: 'rule:CLAUDE.md', name: 'CLAUDE.md' }],
        unused: { keys: ['file:src/predict.ts', 'file:docs/stations.md'], tokens: 2_777, replies: 20 },
        unusedServers: [],
        repeatedRules: {
          sections: 2,
          agent: null,
          rules: [
            {
              key: 'rule:Benchmarks, not timed tests',
              name: 'Benchmarks, not timed tests',
              of: 'AGENTS.md',
              source: 'AGENTS.md',
              tokens: 245,
            },
          ],
        },
        totalTokens: 3_874,
        inputCost: 0.011622,
        forecast: null,
        mayBeCached: true,
        shares: SHARES,
      },
      nextRequestRows: requestRows(
        '2 rules (1 agent, 1 always), 1 skill (agent)',
        [...blocks, plainRow('System prompt', 'system', 1, 412), plainRow('Conversation', 'conversation', 1, 2_310)],
        { notSelected: LEFT_OUT, available: { rule: 44, reference: 4, skill: 2, tool: 0 }, remarks: REMARKS },
      ),
      contextRows: {
        a1: contextRows([{ type: 'rule', items: rules }], blocks, {
          notSelected: LEFT_OUT,
          picks: { text: 'Loupe picked items only by words. Ollama did not send its embeddings within 10 seconds.', hasFailed: true },
        }),
      },
    },
  );
}

/** All items of a chat as chips, with the menu of a rule. */
export function ruleMenu(): PreviewState {
  const chip = (key: string, name: string, tokens: number): ContextChip => ({ key, name, files: null, tokens, warning: null });
  return shownAfter('Menu of a rule', ['items'], [{ press: 'AGENTS.md\n1.2k' }], {
    context: [
      chip('rule:AGENTS.md', 'AGENTS.md', 1_204),
      chip('rule:Error handling', 'Error handling', 412),
      chip('rule:Benchmarks, not timed tests', 'Benchmarks, not timed tests', 288),
      chip('reference:Tokenizer notes', 'Tokenizer notes', 3_981),
      chip('file:src/predict.ts', 'src/predict.ts', 1_874),
      chip('page:https://unicode.org/reports/tr29', 'unicode.org/reports/tr29', 2_148),
    ],
    contextTotal: {
      ...EMPTY_PANEL.contextTotal,
      ...{ items: 6, tokens: 9_907, tools: 31 },
      kinds: [
        ['rule', 3],
        ['reference', 1],
        ['file', 1],
        ['page', 1],
      ],
    },
  });
}
