// Lint rules. Two kinds: the strict sets of ESLint and typescript-eslint, and
// the architecture of this project (who may import whom, how large a file or a
// function may get).

import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const MAX_LINES = 350;
const MAX_TEST_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_COMPLEXITY = 12;
const MAX_PARAMETERS = 4;

// ---------------------------------------------------------------------------
// Syntax that is never used. `no-restricted-syntax` replaces, not merges, when
// two configurations match a file: each zone lists all it wants.

const noDefaultParameters = {
  selector: ':function > AssignmentPattern.params',
  message: 'No default parameter values: the caller says what it means.',
};

const noModuleState = {
  selector: ':matches(Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"])',
  message: 'No module-level mutable state: put it into an object that its user owns.',
};

const noTestOnly = {
  selector: 'MemberExpression[object.name=/^(describe|it|suite|test|context|specify)$/][property.name=/^(only|skip)$/]',
  message: 'No .only and no .skip: every test runs.',
};

const noEmptyCatch = {
  selector: 'CatchClause > BlockStatement.body[body.length=0]',
  message: 'No empty catch, not even with a comment: handle the error, or return and say why.',
};

/**
 * @param {string} packages - regular expression of package names, as in the import
 * @param {string} message
 */
function noDynamicImport(packages, message) {
  return { selector: `ImportExpression[source.value=/${packages}/]`, message };
}

const noBareFailure = {
  selector: 'NewExpression[callee.name="LoupeError"]',
  message: 'No error with a sentence of its own: give it a code in src/engine/failures, and make it with failure().',
};

const everywhere = [noDefaultParameters, noModuleState, noTestOnly, noEmptyCatch, noBareFailure];

// ---------------------------------------------------------------------------
// Import zones. Folders are held apart by where an import resolves to
// (no-restricted-paths), packages by their names (no-restricted-imports, and
// its match for dynamic imports).

const zones = [
  zone('src/engine', ['src', 'webview', 'test'], ['src/engine'], 'The engine imports only the engine.'),
  ...['providers', 'tools', 'storage'].map((name) =>
    zone(`src/${name}`, ['src', 'webview', 'test'], ['src/engine', `src/${name}`], `src/${name} imports the engine and itself.`),
  ),
  zone('src/protocol', ['src', 'webview', 'test'], ['src/protocol'], 'The protocol imports only itself and zod/mini.'),
  zone('src/host', ['webview', 'test'], [], 'The host imports nothing from the webview or the tests.'),
  zone('src/extension.ts', ['webview', 'test'], [], 'The extension imports nothing from the webview or the tests.'),
  zone('webview', ['src', 'test'], ['src/protocol'], 'The webview imports only the protocol of src.'),
];

function zone(target, from, except, message) {
  return from.map((source) => ({
    target: `./${target}`,
    from: `./${source}`,
    except: except.filter((path) => path.startsWith(source)).map((path) => `./${path.slice(source.length + 1)}`),
    message,
  }));
}

const noVscode = { regex: '^vscode$', message: 'Only src/host and src/extension.ts import vscode.' };

/** One zone's rules about packages, for static and dynamic imports alike. */
function packageRules(patterns) {
  return {
    'no-restricted-imports': ['error', { patterns }],
    'no-restricted-syntax': ['error', ...everywhere, ...noDynamicImports(patterns)],
  };
}

function noDynamicImports(patterns) {
  return patterns.map(({ regex, message }) => noDynamicImport(regex.replaceAll('/', '\\x2f'), message));
}

const enginePackages = [{ regex: '^[^.]', message: 'The engine imports only the engine.' }];

const engineGlobals = [
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
].map((name) => ({ name, message: 'The engine is pure: take it in through ports.ts.' }));

// ---------------------------------------------------------------------------

const limits = {
  'max-lines': ['error', { max: MAX_LINES }],
  'max-lines-per-function': ['error', { max: MAX_FUNCTION_LINES }],
  complexity: ['error', { max: MAX_COMPLEXITY, variant: 'modified' }],
  'max-params': ['error', { max: MAX_PARAMETERS }],
};

const strictness = {
  'no-restricted-syntax': ['error', ...everywhere],
  'no-empty': ['error', { allowEmptyCatch: false }],
  'no-console': 'error',
  eqeqeq: 'error',
  'import-x/no-cycle': ['error', { ignoreExternal: true }],
  'import-x/no-self-import': 'error',
  'import-x/no-duplicates': 'error',
  'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: zones.flat() }],
};

const typed = {
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/consistent-type-exports': 'error',
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/strict-boolean-expressions': [
    'error',
    // A count or a text tested for truth hides the case of 0 and ''.
    { allowNumber: false, allowString: false, allowNullableObject: true, allowNullableBoolean: false },
  ],
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  // A method that a port or an interface demands may well await nothing.
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
};

export default tseslint.config(
  {
    ignores: ['node_modules/', 'dist/', 'out/', '.start/', 'test/support/sample-workspace/', '**/*.d.ts'],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/extensions': ['.ts', '.js', '.mjs'],
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.mjs', '.js', '.json'],
          extensionAlias: { '.js': ['.ts', '.js'] },
        }),
      ],
    },
    rules: { ...limits, ...strictness },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'webview/tsconfig.json', 'test/e2e/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: typed,
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/host/**', 'src/extension.ts', 'src/engine/**', 'src/protocol/**'],
    rules: packageRules([noVscode]),
  },
  {
    files: ['src/engine/**/*.ts'],
    rules: {
      ...packageRules(enginePackages),
      'no-restricted-globals': ['error', ...engineGlobals],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'The engine is pure: take it in through ports.ts.' },
      ],
    },
  },
  {
    // Where failures are made: in the product from the catalogue, in tests with sentences of their own.
    files: ['src/engine/errors.ts', 'test/support/failures.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...everywhere.filter((rule) => rule !== noBareFailure), ...noDynamicImports(enginePackages)],
    },
  },
  {
    files: ['src/protocol/**/*.ts'],
    rules: packageRules([{ regex: '^(?!zod/mini$)[^.]', message: 'The protocol imports only itself and zod/mini.' }]),
  },
  {
    files: ['webview/**/*.ts'],
    rules: packageRules([noVscode, { regex: '^node:', message: 'The webview runs in a browser.' }]),
  },
  {
    // A suite's callback holds all its tests.
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: MAX_TEST_LINES }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Plain Node scripts: tsc checks their types (checkJs).
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'Buffer',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'AbortSignal',
          'AbortController',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/support/driver-extension/*.js'],
    languageOptions: { sourceType: 'commonjs' },
  },
);
