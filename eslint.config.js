// The rules that need no types: those of ESLint and typescript-eslint, the sizes, and the architecture of this project
// (test/support/architecture.mjs). The rules that need types are oxlint's (.oxlintrc.json).

import js from '@eslint/js';
import markdown from '@eslint/markdown';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import architecture from './test/support/architecture.mjs';
import prose from './test/support/prose.mjs';

/**
 * The most lines of a file. The first comment of a single concept may say `eslint max-lines: ["error", 400]` and why.
 */
const MAX_LINES = 350;
const MAX_TEST_LINES = 400;

/** @type {import('eslint').Linter.RulesRecord} */
const sizes = {
  'max-lines': ['error', MAX_LINES],
  'max-lines-per-function': ['error', 60],
  complexity: ['error', { max: 12, variant: 'modified' }],
  'max-params': ['error', 4],
};

/**
 * ESLint's rules in addition to its recommended ones.
 *
 * @type {import('eslint').Linter.RulesRecord}
 */
const further = {
  eqeqeq: 'error',
  'no-array-constructor': 'error',
  'no-caller': 'error',
  'no-console': 'error',
  'no-empty-function': 'error',
  'no-eval': 'error',
  'no-iterator': 'error',
  'no-unused-expressions': 'error',
  'no-useless-constructor': 'error',
  'no-useless-rename': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  // The compiler finds these, in scripts too.
  'no-undef': 'off',
  // oxlint has it: it takes a quarter of ESLint's time.
  'no-unused-vars': 'off',
};

/** @type {import('eslint').Linter.RulesRecord} */
const typescript = {
  '@typescript-eslint/no-unused-vars': 'off',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/no-unnecessary-parameter-property-assignment': 'error',
  '@typescript-eslint/no-useless-empty-export': 'error',
};

const IMPURE = [
  'fetch',
  'Date',
  'crypto',
  'performance',
  'process',
  'Buffer',
  'console',
  'globalThis',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'queueMicrotask',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
];

const message = 'The engine is pure: take it in through ports.ts.';

/** @type {import('eslint').Linter.RulesRecord} */
const pureEngine = {
  'no-restricted-globals': ['error', ...IMPURE.map((name) => ({ name, message }))],
  'no-restricted-properties': ['error', { object: 'Math', property: 'random', message }],
};

export default defineConfig(
  globalIgnores(['dist/', 'out/', '.start/', 'test/support/sample-workspace/', '**/*.d.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  {
    files: ['**/*.ts', '**/*.mjs', '**/*.js'],
    extends: [js.configs.recommended],
    plugins: { architecture, prose },
    rules: {
      'prose/comments': 'error',
      ...sizes,
      ...further,
      ...Object.fromEntries(Object.keys(architecture.rules).map((name) => [`architecture/${name}`, 'error'])),
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    // No rule here needs the globals of a library or doc comments as syntax: without them parsing is faster.
    languageOptions: { parserOptions: { lib: [], jsDocParsingMode: 'none' } },
    rules: typescript,
  },
  {
    files: ['**/*.md'],
    ignores: ['test/fixtures/**'],
    plugins: { markdown, prose },
    language: 'markdown/gfm',
    rules: { 'prose/documents': 'error' },
  },
  { files: ['src/engine/**/*.ts'], rules: pureEngine },
  // The preview has no host to report to, and scripts write to the terminal.
  { files: ['webview/preview/**/*.ts', '**/*.mjs', '**/*.js'], rules: { 'no-console': 'off' } },
  {
    // The callback of a suite holds all its tests.
    files: ['test/**/*.ts'],
    rules: { 'max-lines': ['error', MAX_TEST_LINES], 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['test/support/driver-extension/*.js'], languageOptions: { sourceType: 'commonjs' } },
);
