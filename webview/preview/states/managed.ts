import type { ItemProofView } from '../../../src/protocol/itemProof.js';
import type { ManagerRow, ManagerView } from '../../../src/protocol/manager.js';

const ruleRow = (name: string, changes: Partial<ManagerRow>): ManagerRow => ({
  ...{
    key: `rule:${name}`,
    name,
    source: null,
    state: 'out',
    includeMode: 'manual',
    score: null,
    tokens: 96,
    note: null,
    place: null,
    lastUse: null,
    isUnused: false,
  },
  ...changes,
});

const PROOF = { requests: 17, whole: 17, cut: 0, tokens: 19_720, cost: 0.0071, unknownCosts: 0 };

/** Of the row that is open in the pane. */
export const ITEM_PROOF: ItemProofView = {
  key: 'rule:AGENTS.md',
  chat: PROOF,
  recent: { ...PROOF, requests: 60, whole: 41, tokens: 47_560, cost: 0.0171 },
  lastAt: null,
  nearer: ['src/AGENTS.md'],
  conflicts: [{ text: 'Most of it also stands in .github/copilot-instructions.md.', source: '.github/copilot-instructions.md' }],
};

/** What the pane with the context of the chat shows. */
export const MANAGER: ManagerView = {
  isRestricted: false,
  agent: 'Reviewer',
  items: 6,
  tokens: 4_999,
  requests: 17,
  sections: [
    {
      ...{ type: 'rule', held: 3, total: 47, tokens: 1_860, more: 0 },
      rows: [
        ruleRow('AGENTS.md', { state: 'in', includeMode: 'always', tokens: 1_160, lastUse: 0 }),
        ruleRow('Error handling', { source: '.loupe/rules/error-handling.md', state: 'in', includeMode: 'always', tokens: 412 }),
        ruleRow('Commit messages', { source: '.cursor/rules/commits.mdc', lastUse: 4 }),
        ruleRow('Benchmarks, not timed tests', {
          source: '.loupe/rules/benchmarks.md',
          ...{ state: 'picked', includeMode: 'agent', score: 0.87, tokens: 288 },
        }),
        ruleRow('Release notes', { source: '.loupe/rules/release-notes.md', includeMode: 'agent', score: 0.12, tokens: 190 }),
        ruleRow('.loupe/rules/units.md', { state: 'off', tokens: null, note: 'switched off' }),
      ],
    },
    {
      ...{ type: 'reference', held: 1, total: 2, tokens: 362, more: 0 },
      rows: [
        ruleRow('Tokenizer notes', { key: 'reference:Tokenizer notes', state: 'in', tokens: 362, isUnused: true }),
        ruleRow('Database schema', {
          key: 'reference:Database schema',
          note: 'The front matter of .loupe/references/schema.md cannot be read: line 4, Missing closing "quote.',
          place: { path: '.loupe/references/schema.md', line: 4 },
        }),
      ],
    },
    { type: 'skill', held: 0, total: 0, tokens: 0, rows: [], more: 0 },
    {
      ...{ type: 'file', held: 2, total: 2, tokens: 2_777, more: 0 },
      rows: ['src/predict.ts', 'docs/stations.md'].map((name) =>
        ruleRow(name, { key: `file:${name}`, state: 'in', includeMode: null, tokens: 1_388 }),
      ),
    },
  ],
};
