import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS, SETTING_NAMES, type SettingName } from '../../src/engine/chat/settings/config.js';
import { defaultConfig } from '../../src/engine/chat/settings/configValues.js';
import { readSettings } from '../../src/host/chat/settings.js';
import { depth } from '../support/depth.mjs';
import { PRACTICE_STANDARD } from '../../src/providers/practice/models.js';
import { inRuns } from '../support/forAll.js';

const BUILT_IN = PRACTICE_STANDARD.ref;
const DEFAULTS = defaultConfig(BUILT_IN);
const NO_LIMITS = { askAbove: null, capPerChat: null, capPerDay: null };
const CACHE_MODES = CHAT_SETTINGS.cacheMode.options.map(({ value }) => value);
const POLICIES = CHAT_SETTINGS.compactionPolicy.options.map(({ value }) => value);
const OTHER_MODELS = ['', 'practice/small', 'router/vendor/model:7b'];
const read = (section: unknown): ReturnType<typeof readSettings> => readSettings(section, BUILT_IN);
const only = (name: string, value: unknown): unknown => ({ defaults: { [name]: value } });
const same = (...values: unknown[]): [unknown, unknown][] => values.map((value) => [value, value]);

const VALID: Readonly<Record<SettingName, readonly (readonly [unknown, unknown])[]>> = {
  model: [
    ['practice/small', { provider: 'practice', model: 'small' }],
    ['router/vendor/model:7b', { provider: 'router', model: 'vendor/model:7b' }],
  ],
  cacheMode: same(...CACHE_MODES),
  layout: CHAT_SETTINGS.layout.options.map(({ value }) => [value, value]),
  fileChanges: same('differences', 'copies'),
  repeatedContent: same('references', 'full'),
  whileAway: same('ask', 'automatic'),
  whileAwayLimit: same(1, 500),
  cacheTargetTokens: same(null, 0, 2_048),
  agent: same('Reviewer', ''),
  systemPrompt: same('Be brief.', ''),
  pickMinimum: same(1, 100),
  pickMost: same(0, 12),
  pickCertain: same(null, 70),
  pickCandidates: same(1, 200),
  workspaceTools: same('on', 'off'),
  toolMemory: same(null, 0, 1, 5),
  cacheLifetime: same('automatic', '5m', '1h'),
  toolsLeave: same('later', 'now'),
  maxPromptTokens: same(null, 513, 128_000),
  reservedResponseTokens: same(0, 4_096),
  compaction: same('on', 'off'),
  compactionPolicy: same(...POLICIES),
  verbatimTokens: same(500, 20_000),
  summaryAsk: same('off', 'on'),
  compactionTrigger: same('share', 'early'),
  leastExchanges: same(1, 40),
  recentMessages: same(2, 100),
  leastRecentMessages: same(1, 6),
  summaryStyle: same('plain', 'terse'),
  titles: same('on', 'off'),
  titleModel: same(...OTHER_MODELS),
  topicModel: same(...OTHER_MODELS),
  editorDate: same('on', 'off'),
  editorFile: same('on', 'off'),
  editorSelection: same('on', 'off'),
  editorVisible: same('on', 'off'),
  editorGit: same('on', 'off'),
  editorTabs: same('on', 'off'),
  editorProblems: same('on', 'off'),
  editorTerminal: same('on', 'off'),
  editorMostTokens: same(0, 5_000),
  repositoryMap: same('off', 'tree', 'map'),
  repositoryTokens: same(200, 8_000),
  repositoryWithout: same('', 'vendor/\ntest/fixtures/'),
};

const EXPECTED: Readonly<Record<SettingName, string>> = {
  model: 'a model as provider/model',
  cacheMode: 'one of all-off, system, cached',
  layout: 'one of adaptive, tiered, message-70, plain',
  fileChanges: 'one of differences, copies',
  repeatedContent: 'one of references, full',
  whileAway: 'one of ask, automatic, off',
  whileAwayLimit: 'a whole number, 1 or more',
  cacheTargetTokens: 'a whole number, 0 or more, or null',
  agent: 'the name of an agent, or nothing',
  systemPrompt: 'text',
  pickMinimum: 'a whole number, 1 or more',
  pickMost: 'a whole number, 0 or more',
  pickCertain: 'a whole number, 1 or more, or null',
  pickCandidates: 'a whole number, 1 or more',
  workspaceTools: 'one of on, off',
  toolMemory: 'one of 0, 1, 2, 3, 4, 5, or null',
  cacheLifetime: 'one of automatic, 5m, 1h',
  toolsLeave: 'one of later, now',
  maxPromptTokens: 'a whole number, 1 or more, or null',
  reservedResponseTokens: 'a whole number, 0 or more',
  compaction: 'one of on, off',
  compactionPolicy: 'one of topic-boundary, rolling-window, message-count, manual',
  verbatimTokens: 'a whole number, 500 or more',
  summaryAsk: 'one of off, on',
  compactionTrigger: 'one of share, early',
  leastExchanges: 'a whole number, 1 or more',
  recentMessages: 'a whole number, 1 or more',
  leastRecentMessages: 'a whole number, 1 or more',
  summaryStyle: 'one of plain, terse',
  titles: 'one of on, off',
  titleModel: 'a model as provider/model, or nothing',
  topicModel: 'a model as provider/model, or nothing',
  editorDate: 'one of on, off',
  editorFile: 'one of on, off',
  editorSelection: 'one of on, off',
  editorVisible: 'one of on, off',
  editorGit: 'one of on, off',
  editorTabs: 'one of on, off',
  editorProblems: 'one of on, off',
  editorTerminal: 'one of on, off',
  editorMostTokens: 'a whole number, 0 or more',
  repositoryMap: 'one of off, tree, map',
  repositoryTokens: 'a whole number, 200 or more',
  repositoryWithout: 'text',
};

const INVALID: Readonly<Record<SettingName, readonly unknown[]>> = {
  model: ['', 'noslash', '/model', 'provider/', 7, null, true, [], {}, { provider: 'practice', model: 'small' }],
  cacheMode: ['', 'CACHED', 'on', 7, null, true, [], ['cached'], {}, { cached: true }],
  layout: ['', 'Plain', 7, null, true, [], ['plain'], {}],
  fileChanges: ['', 'diff', 7, null, true, [], {}],
  repeatedContent: ['', 'reference', 7, null, true, [], {}],
  whileAway: ['', 'automatically', 7, null, true, [], {}],
  whileAwayLimit: [0, 0.5, null, '50', true, [], {}, NaN],
  cacheTargetTokens: [-1, 0.5, '1024', true, [], {}, NaN],
  agent: [7, null, true, ['x'], {}],
  systemPrompt: [7, null, true, ['x'], {}, { text: 'x' }],
  pickMinimum: [0, -1, 0.3, null, '30', true, [], {}, NaN],
  pickMost: [-1, 0.5, null, '3', true, [], {}, NaN],
  pickCertain: [0, -1, 0.7, '70', true, [], {}, NaN],
  pickCandidates: [0, -1, 1.5, null, '20', true, [], {}, NaN],
  workspaceTools: ['', 'OFF', 7, null, true, false, [], ['off'], {}],
  toolMemory: [-1, 6, 0.5, '1', '', true, false, [], [1], {}, NaN, Infinity],
  cacheLifetime: ['', '1H', 5, null, true, [], ['5m'], {}],
  toolsLeave: ['', 'NOW', 7, null, true, [], ['now'], {}],
  maxPromptTokens: [0, -1, 1.5, '8000', true, [], [1], {}, { max: 1 }, 1e300, Infinity, NaN],
  reservedResponseTokens: [-1, 0.5, null, '512', true, [], {}, { tokens: 1 }, NaN],
  compaction: ['', 'ON', 7, null, true, [], ['on'], {}],
  compactionPolicy: ['', 'topic', 7, null, true, [], ['manual'], {}],
  verbatimTokens: [499, 0, -1, 0.5, null, '4000', true, [], {}, NaN],
  summaryAsk: ['', 'ON', 7, null, true, [], ['on'], {}],
  compactionTrigger: ['', 'late', 7, null, true, [], ['early'], {}],
  leastExchanges: [0, -1, 1.5, null, '2', true, [], {}, NaN],
  recentMessages: [0, -1, 1.5, null, '6', true, [], {}, NaN],
  leastRecentMessages: [0, -1, 1.5, null, '2', true, [], {}, NaN],
  summaryStyle: ['', 'short', 7, null, true, [], {}],
  titles: ['', 'ON', 7, null, true, [], ['on'], {}],
  titleModel: ['noslash', '/model', 'provider/', 7, null, true, [], {}],
  topicModel: ['noslash', '/model', 'provider/', 7, null, true, [], {}],
  editorDate: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorFile: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorSelection: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorVisible: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorGit: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorTabs: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorProblems: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorTerminal: ['', 'ON', 7, null, true, false, [], ['on'], {}],
  editorMostTokens: [-1, 0.5, null, '2000', true, [], {}, NaN],
  repositoryMap: ['', 'Map', 7, null, true, [], {}],
  repositoryTokens: [199, 0.5, null, '2000', true, [], {}, NaN],
  repositoryWithout: [7, null, true, [], {}],
};

/** What is read without settings. */
const READ = {
  settings: DEFAULTS,
  providers: [],
  introduction: true,
  fontSize: null,
  embeddings: null,
  spendLimits: NO_LIMITS,
  includes: new Map(),
  ruleFamilies: null,
  userFamilies: new Set(),
  problems: [],
};

/** Whether the value has the setting's type. Its range does not matter. */
function isOfType(name: SettingName, value: unknown): boolean {
  const { kind } = CHAT_SETTINGS[name];
  return typeof value === (kind === 'integer' || kind === 'switch' ? 'number' : 'string');
}

describe('settings', () => {
  it('that are not there are the defaults', () => {
    for (const section of [undefined, null, {}, { defaults: {} }]) {
      assert.deepEqual(read(section), READ);
    }
  });

  it('turn the introduction off, and name a value that is no switch', () => {
    assert.deepEqual(read({ introduction: false }), { ...READ, introduction: false });
    for (const value of ['no', 0, null, [], {}]) {
      assert.equal(read({ introduction: value }).introduction, true);
    }
    assert.deepEqual(read({ introduction: 'no' }).problems, ['loupe.introduction is invalid; expected true or false. Loupe uses true.']);
  });

  it('have a size of texts that can be read', () => {
    for (const size of [8, 13.5, 40, null]) {
      assert.deepEqual([read({ fontSize: size }).fontSize, read({ fontSize: size }).problems], [size, []]);
    }
    for (const size of [7, 41, Number.NaN, '15', true, []]) {
      const { fontSize, problems } = read({ fontSize: size });
      assert.equal(fontSize, null);
      assert.match(problems[0] ?? '', /^loupe\.fontSize is invalid; expected a number from 8 to 40, or null\./);
    }
  });

  for (const name of SETTING_NAMES) {
    it(`take a valid ${name}`, () => {
      for (const [value, expected] of VALID[name]) {
        assert.deepEqual(read(only(name, value)), { ...READ, settings: { ...DEFAULTS, [name]: expected } });
      }
    });

    const used = name === 'workspaceTools' ? 'the value off' : 'the default';
    it(`name a wrong ${name}, say what it wants, and use ${used}`, () => {
      for (const value of INVALID[name]) {
        const { settings, problems } = read(only(name, value));
        assert.deepEqual(settings, used === 'the value off' ? { ...DEFAULTS, workspaceTools: 'off' } : DEFAULTS, JSON.stringify(value));
        const sentence = `loupe.defaults.${name} is invalid; expected ${EXPECTED[name]}. Loupe uses ${used}.`;
        assert.deepEqual(problems, [sentence], JSON.stringify(value));
      }
    });
  }

  it('may be written with dots or nested', () => {
    const { settings, problems } = read({ 'defaults.cacheMode': 'system', defaults: { systemPrompt: 'x' } });
    assert.deepEqual([settings.cacheMode, settings.systemPrompt, problems], ['system', 'x', []]);
  });

  it('that are wrong do not touch the others', () => {
    const { settings, problems } = read({ defaults: { model: 7, cacheMode: 'system', maxPromptTokens: 'x' } });
    assert.deepEqual(settings, { ...DEFAULTS, cacheMode: 'system' });
    assert.equal(problems.length, 2);
  });

  it('that leave no room for a request are both named, and their defaults are used', () => {
    const { settings, problems } = read({ defaults: { maxPromptTokens: 400, reservedResponseTokens: 400, cacheMode: 'system' } });
    assert.deepEqual(settings, { ...DEFAULTS, cacheMode: 'system' });
    assert.deepEqual(problems, [
      'loupe.defaults.maxPromptTokens is invalid; expected a whole number, 401 or more. Loupe uses the default.',
      'loupe.defaults.reservedResponseTokens is invalid; expected a whole number from 0 to 399. Loupe uses the default.',
    ]);
    assert.equal(read(only('maxPromptTokens', 512)).problems.length, 2);
    assert.deepEqual(read(only('maxPromptTokens', 513)).problems, []);
  });

  it('that keep fewer messages than the least are both named, and their defaults are used', () => {
    const { settings, problems } = read({ defaults: { recentMessages: 3, leastRecentMessages: 4 } });
    assert.deepEqual(settings, DEFAULTS);
    assert.deepEqual(problems, [
      'loupe.defaults.recentMessages is invalid; expected a whole number, 4 or more. Loupe uses the default.',
      'loupe.defaults.leastRecentMessages is invalid; expected a whole number from 1 to 3. Loupe uses the default.',
    ]);
    assert.deepEqual(read({ defaults: { recentMessages: 4, leastRecentMessages: 4 } }).problems, []);
  });

  it('limit what is spent; a limit that cannot be read lets nothing be spent without a question', () => {
    assert.deepEqual(read({ spend: { askAbove: 0.5, capPerDay: 0 } }).spendLimits, { askAbove: 0.5, capPerChat: null, capPerDay: 0 });
    for (const wrong of ['1', -1, NaN, true, {}]) {
      const { spendLimits, problems } = read({ spend: { capPerChat: wrong } });
      assert.deepEqual([spendLimits, problems.length], [{ ...NO_LIMITS, capPerChat: 0 }, 1], JSON.stringify(wrong));
      assert.match(problems[0] ?? '', /^loupe\.spend\.capPerChat is invalid; expected an amount in US dollars, 0 or more, or null\./);
    }
  });

  it('name the model for embeddings, or none', () => {
    assert.deepEqual(read({ embeddings: 'ollama/nomic-embed-text' }).embeddings, { provider: 'ollama', model: 'nomic-embed-text' });
    assert.deepEqual([read({ embeddings: null }).embeddings, read({ embeddings: null }).problems], [null, []]);
    for (const wrong of ['', 'small', '/small', 7, true, {}, []]) {
      const { embeddings, problems } = read({ embeddings: wrong });
      assert.deepEqual([embeddings, problems.length], [null, 1], JSON.stringify(wrong));
      assert.match(problems[0] ?? '', /^loupe\.embeddings is invalid; expected a model as provider\/model, or null\./);
    }
  });

  it('that are unknown are named', () => {
    const { settings, problems } = read({ defaults: { modle: 'x' }, theme: { dark: true }, 'a.b': 1 });
    assert.deepEqual(settings, DEFAULTS);
    assert.deepEqual(problems, [
      'loupe.defaults.modle is not a Loupe setting.',
      'loupe.theme.dark is not a Loupe setting.',
      'loupe.a.b is not a Loupe setting.',
    ]);
  });

  it('that describe providers are read beside the others, and what is not valid there is named and left out', () => {
    const good = {
      id: 'good',
      protocol: 'anthropic',
      baseUrl: 'https://example.com',
      models: [{ id: 'm', prices: { input: 'x', output: 1 } }, { id: 'n' }],
    };
    const { settings, providers, problems } = read({ defaults: { cacheMode: 'system' }, providers: [7, good, { id: 'bad' }] });
    assert.equal(settings.cacheMode, 'system');
    const named = providers.map(({ id, models }) => [id, models.map((model) => model.id)]);
    assert.deepEqual(named, [['good', ['m', 'n']]]);
    assert.deepEqual(problems, [
      'loupe.providers[0] is invalid; expected an object with id, protocol and baseUrl.',
      'loupe.providers[1].models[0].prices.input is invalid; expected a number, 0 or more (US dollars per million tokens).',
      'loupe.providers[2].protocol is missing.',
      'loupe.providers[2].baseUrl is missing.',
    ]);
  });

  it('that are no list of providers leave none', () => {
    for (const value of [7, 'x', true, null, {}, { id: 'x' }]) {
      const { providers, problems } = read({ providers: value });
      assert.deepEqual([providers, problems], [[], ['loupe.providers is invalid; expected a list of providers.']], JSON.stringify(value));
    }
  });

  it('of VS Code carry functions beside the values, which are no settings', () => {
    assert.deepEqual(read({ get: () => undefined, has: () => true, defaults: { cacheMode: 'system' } }).problems, []);
  });

  it('never throw, whatever is in there, and always give a usable config', () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'defaults',
        'defaults.model',
        'providers',
        'id',
        'protocol',
        'baseUrl',
        'headers',
        'models',
        'prices',
        'input',
        'capabilities',
        'framing',
        'extraBody',
        ...SETTING_NAMES,
        '__proto__',
        'constructor',
        'toString',
      ),
    );
    const { any } = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue(),
        fc.constantFrom(undefined, NaN, 'anthropic', 'https://example.com', 1),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 6 }),
      ),
    }));
    inRuns(depth({ short: 400, deep: 10_000 })).forAll(any, (section) => {
      const { settings, providers, problems } = read(section);
      assert.ok(
        providers.every(({ id, baseUrl, models }) => id !== '' && URL.canParse(baseUrl) && models.every((model) => model.id !== '')),
      );
      assert.deepEqual(Object.keys(settings).sort(), [...SETTING_NAMES].sort());
      assert.ok(typeof settings.model.provider === 'string' && typeof settings.model.model === 'string');
      assert.ok(CACHE_MODES.includes(settings.cacheMode));
      assert.equal(typeof settings.systemPrompt, 'string');
      assert.ok(settings.maxPromptTokens === null || settings.maxPromptTokens > 0);
      assert.ok(settings.reservedResponseTokens >= 0);
      assert.ok(problems.every((problem) => problem.startsWith('loupe.')));
    });
  });

  it('of any wrong type for a known key always give exactly one problem, which names the key', () => {
    inRuns(depth({ short: 200, deep: 5_000 })).forAll(fc.constantFrom(...SETTING_NAMES), fc.jsonValue(), (name, value) => {
      fc.pre(value !== null && !isOfType(name, value));
      const { problems } = read(only(name, value));
      assert.equal(problems.length, 1);
      assert.ok((problems[0] ?? '').startsWith(`loupe.defaults.${name} is invalid`));
    });
  });
});
