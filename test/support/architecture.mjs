// The architecture as ESLint rules: allowed imports, and forbidden syntax.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { root } from './paths.mjs';

/** The folders of src/host from the ground up. Each can import those before it, but none of its own floor. */
const HOST_FLOORS = [
  ['window'],
  ['models'],
  ['context'],
  ['tools'],
  ['request'],
  ['chat'],
  ['documents', 'inspector', 'search', 'transfer', 'usage', 'panel'],
  ['api', 'commands'],
];

/** The folders of src/engine from the ground up, with the same rule. All can import its loose files. */
const ENGINE_FLOORS = [
  ['failures'],
  ['model'],
  ['cache', 'tokens'],
  ['record'],
  ['chat'],
  ['budget', 'context', 'spend', 'telemetry'],
  ['repository', 'tools'],
  ['request'],
  ['accounting', 'compaction', 'diagnosis', 'run'],
  ['cacheMonitor'],
  ['next'],
];

/** They create the folders' services: no folder imports them. */
const BUILDERS = ['services.ts', 'windowServices.ts', 'chatServices.ts', 'featureServices.ts', 'panelServices.ts'];

/**
 * @typedef {object} Zone
 * @property {string} target - a folder, or a file
 * @property {string[]} apart - folders of the target with a zone of their own
 * @property {string[]} from - what it may not import
 * @property {string[]} except - what of that it may import
 * @property {string[]} types - of what it may import types
 * @property {string} message
 */

const EVERYTHING = ['src', 'webview', 'test'];

/** Types of the engine that views show unchanged. They are plain JSON. */
const TYPES_OF_VIEWS = [
  'accounting/chatTurns.ts',
  'accounting/contextWindow.ts',
  'accounting/itemProof.ts',
  'accounting/ownCosts.ts',
  'accounting/periods.ts',
  'accounting/replyWindow.ts',
  'accounting/turnBand.ts',
  'accounting/usageReport.ts',
  'accounting/usageSum.ts',
  'accounting/usualCosts.ts',
  'cache/forecast.ts',
  'chat/calls/calls.ts',
  'chat/calls/toolEdit.ts',
  'chat/message/message.ts',
  'chat/replyStatus.ts',
  'chat/settings/config.ts',
  'chat/settings/setting.ts',
  'chat/slices/runs.ts',
  'chat/versions.ts',
  'compaction/facts/neededAgain.ts',
  'compaction/outline.ts',
  'compaction/policies/triggers.ts',
  'compaction/summaryPrice.ts',
  'context/catalogItem.ts',
  'context/use/itemUses.ts',
  'diagnosis/cause.ts',
  'diagnosis/forecastAccuracy.ts',
  'failures/entry.ts',
  'model/block.ts',
  'model/inputParts.ts',
  'model/model.ts',
  'model/part.ts',
  'model/rateLimit.ts',
  'model/usage.ts',
  'next/blockViews.ts',
  'next/exclusionPrices.ts',
  'next/itemChanges.ts',
  'next/uncachedReason.ts',
  'ports.ts',
  'record/item.ts',
  'record/manifest.ts',
  'record/requestSize.ts',
].map((file) => `src/engine/${file}`);

const PROTOCOL_IMPORTS = 'The protocol imports only itself, zod/mini, and the types of the engine that TYPES_OF_VIEWS lists.';

/** @type {Zone[]} */
const ZONES = [
  zone('src/engine', EVERYTHING, ['src/engine'], 'The engine imports only the engine.'),
  ...floorZones('src/engine', ENGINE_FLOORS, []),
  zone('src/providers', EVERYTHING, ['src/engine', 'src/providers'], 'src/providers imports the engine and itself.'),
  zone('src/tools', EVERYTHING, ['src/engine', 'src/providers', 'src/tools'], 'src/tools imports the engine, the providers and itself.'),
  zone('src/storage', EVERYTHING, ['src/engine', 'src/storage'], 'src/storage imports the engine and itself.'),
  { ...zone('src/protocol', EVERYTHING, ['src/protocol'], PROTOCOL_IMPORTS), types: TYPES_OF_VIEWS },
  zone('src/host', ['webview', 'test'], [], 'The host imports nothing from the webview or the tests.'),
  ...floorZones('src/host', HOST_FLOORS, BUILDERS),
  zone('src/extension.ts', ['webview', 'test'], [], 'The extension imports nothing from the webview or the tests.'),
  { ...zone('webview', ['src', 'test'], ['src/protocol'], 'The webview imports only the protocol of src.'), apart: ['webview/preview'] },
  zone(
    'webview/preview',
    ['src', 'test'],
    ['src/protocol', 'src/engine/chat/settings'],
    'The preview imports only the protocol and settings.',
  ),
];

/**
 * @typedef {object} PackageRule
 * @property {string[]} targets - folders
 * @property {string[]} except - of these
 * @property {RegExp} forbidden - names of packages
 * @property {string} message
 */

const VSCODE = { forbidden: /^vscode$/, message: 'Only src/host and src/extension.ts import vscode.' };

/** @type {PackageRule[]} */
const PACKAGES = [
  { targets: ['src', 'webview'], except: ['src/host', 'src/extension.ts'], ...VSCODE },
  { targets: ['src/engine'], except: [], forbidden: /^/, message: 'The engine imports only the engine.' },
  { targets: ['src/protocol'], except: [], forbidden: /^(?!zod\/mini$)/, message: PROTOCOL_IMPORTS },
  { targets: ['webview'], except: [], forbidden: /^node:/, message: 'The webview runs in a browser.' },
];

/** Failures are created here: in the product from the catalogue, in tests with their own sentences. */
const FAILURE_MAKERS = ['src/engine/errors.ts', 'test/support/failures.ts'];

/**
 * @param {string} target
 * @param {string[]} from
 * @param {string[]} except
 * @param {string} message
 * @returns {Zone}
 */
function zone(target, from, except, message) {
  return { target, apart: [], from, except, types: [], message };
}

/**
 * @param {string} folder
 * @param {string[][]} floors
 * @param {string[]} builders
 */
function floorZones(folder, floors, builders) {
  return floors.flatMap((floor, index) => {
    const above = [...builders, ...floors.slice(index + 1).flat()];
    return floor.flatMap((room) =>
      [...above, ...floor.filter((other) => other !== room)].map((other) => {
        const message = `${folder}/${room} is below or beside ${folder}/${other}: take what you need as a port.`;
        return zone(`${folder}/${room}`, [`${folder}/${other}`], [], message);
      }),
    );
  });
}

/**
 * @param {string} path
 * @param {string[]} places - files and folders
 */
function isIn(path, places) {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

/** @param {string} file */
function pathOf(file) {
  return relative(root, file).split(sep).join('/');
}

/**
 * A rule about imports: static, exported, dynamic, and of types.
 *
 * @param {(path: string) => (source: string, isOfTypes: boolean) => string[]} checkOf - the check of a file's imports
 */
function importRule(checkOf) {
  return {
    create(/** @type {any} */ context) {
      const check = checkOf(pathOf(context.filename));
      const visit = (/** @type {any} */ node) => {
        const source = node.source?.value;
        if (typeof source !== 'string') return;
        const isOfTypes = node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type';
        for (const message of check(source, isOfTypes)) context.report({ node: node.source, message });
      };
      return {
        ImportDeclaration: visit,
        ExportNamedDeclaration: visit,
        ExportAllDeclaration: visit,
        ImportExpression: visit,
        TSImportType: visit,
      };
    },
  };
}

/**
 * @param {string} path
 * @returns {(source: string, isOfTypes: boolean) => string[]}
 */
function crossedZones(path) {
  const zones = ZONES.filter(({ target, apart }) => isIn(path, [target]) && !isIn(path, apart));
  return (source, isOfTypes) => {
    if (zones.length === 0 || !source.startsWith('.')) return [];
    // Sources write './x.js' for x.ts.
    const imported = posix.join(posix.dirname(path), source).replace(/\.js$/, '.ts');
    return zones
      .filter(({ from, except, types }) => isIn(imported, from) && !isIn(imported, except) && !(isOfTypes && isIn(imported, types)))
      .map(({ message }) => message);
  };
}

/**
 * @param {string} path
 * @returns {(source: string) => string[]}
 */
function forbiddenPackages(path) {
  const rules = PACKAGES.filter(({ targets, except }) => isIn(path, targets) && !isIn(path, except));
  return (source) => (source.startsWith('.') ? [] : rules.filter(({ forbidden }) => forbidden.test(source)).map(({ message }) => message));
}

/**
 * A rule about forbidden syntax.
 *
 * @param {string} selector - of esquery
 * @param {{ except: string[], message: string }} options
 */
function syntaxRule(selector, { except, message }) {
  return {
    create(/** @type {any} */ context) {
      if (isIn(pathOf(context.filename), except)) return {};
      return {
        [selector](/** @type {any} */ node) {
          context.report({ node, message });
        },
      };
    },
  };
}

export default {
  // The version of ESLint's cache.
  meta: {
    name: 'architecture',
    version: createHash('sha256')
      .update(readFileSync(import.meta.filename))
      .digest('hex'),
  },
  rules: {
    zones: importRule(crossedZones),
    packages: importRule(forbiddenPackages),
    'no-default-parameters': syntaxRule(
      ':function > AssignmentPattern.params, :function > :matches(ObjectPattern, ArrayPattern).params AssignmentPattern',
      {
        except: [],
        message: 'No default parameter values: the caller says what it means.',
      },
    ),
    'no-module-state': syntaxRule(
      ':matches(Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"])',
      { except: [], message: 'No module-level mutable state: put it into an object that its user owns.' },
    ),
    'no-test-only': syntaxRule(
      'MemberExpression[object.name=/^(describe|it|suite|test|context|specify)$/][property.name=/^(only|skip)$/]',
      {
        except: [],
        message: 'No .only and no .skip: every test runs.',
      },
    ),
    'no-empty-catch': syntaxRule('CatchClause > BlockStatement.body[body.length=0]', {
      except: [],
      message: 'No empty catch, not even with a comment: handle the error, or return and say why.',
    }),
    'no-own-commands': syntaxRule('CallExpression[callee.property.name="executeCommand"] > Literal[value=/^loupe\\./]', {
      except: ['test'],
      message: 'No command of Loupe called through VS Code: call the feature, as the command does.',
    }),
    'no-bare-failure': syntaxRule('NewExpression[callee.name="LoupeError"]', {
      except: FAILURE_MAKERS,
      message: 'No error with a sentence of its own: give it a code in src/engine/failures, and make it with failure().',
    }),
  },
};
