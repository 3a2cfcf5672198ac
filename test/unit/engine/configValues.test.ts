import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS, type ChatConfig, SETTING_NAMES, settingOf } from '../../../src/engine/chat/settings/config.js';
import { configChange, defaultConfig, plainConfig, readConfig, settingBounds } from '../../../src/engine/chat/settings/configValues.js';
import { forAll } from '../../support/forAll.js';

const BASE: ChatConfig = defaultConfig({ provider: 'p', model: 'm' });
const change = (values: Record<string, unknown>): Partial<ChatConfig> => configChange(BASE, values);

const ON_OFF = fc.constantFrom('on' as const, 'off' as const);

describe('the table of chat settings', () => {
  it('has what a form needs of each, and a default that is valid', () => {
    for (const name of SETTING_NAMES) {
      const { label, help } = settingOf(name);
      assert.ok(label !== '' && help !== '', name);
    }
    assert.deepEqual(readConfig(plainConfig(BASE), defaultConfig({ provider: 'other', model: 'x' })), { config: BASE, problems: [] });
  });

  it('names in its cross-checks only whole numbers that may be left out or are there', () => {
    for (const name of SETTING_NAMES) {
      const setting = settingOf(name);
      const other = SETTING_NAMES.find((candidate) => setting.kind === 'integer' && candidate === setting.most?.setting);
      assert.equal(other === undefined, setting.kind !== 'integer' || setting.most === null, name);
      assert.ok(other === undefined || settingOf(other).kind === 'integer', name);
    }
  });
});

describe('a config', () => {
  it('comes back from its plain values', () => {
    const config = fc
      .record({
        model: fc.record({ provider: fc.constantFrom('a', 'b.c'), model: fc.constantFrom('m', 'v/m:7b') }),
        cacheMode: fc.constantFrom(...CHAT_SETTINGS.cacheMode.options).map(({ value }) => value),
        cacheLifetime: fc.constantFrom(...CHAT_SETTINGS.cacheLifetime.options).map(({ value }) => value),
        layout: fc.constantFrom(...CHAT_SETTINGS.layout.options).map(({ value }) => value),
        fileChanges: fc.constantFrom(...CHAT_SETTINGS.fileChanges.options).map(({ value }) => value),
        repeatedContent: fc.constantFrom(...CHAT_SETTINGS.repeatedContent.options).map(({ value }) => value),
        cacheTargetTokens: fc.option(fc.nat(9_999)),
        systemPrompt: fc.string(),
        maxPromptTokens: fc.option(fc.integer({ min: 1_000, max: 200_000 })),
        agent: fc.string(),
        pickMinimum: fc.integer({ min: 1, max: 100 }),
        pickMost: fc.nat(20),
        pickCertain: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }),
        pickCandidates: fc.integer({ min: 1, max: 100 }),
        workspaceTools: fc.constantFrom(...CHAT_SETTINGS.workspaceTools.options).map(({ value }) => value),
        toolMemory: fc.constantFrom(null, ...CHAT_SETTINGS.toolMemory.numbers.map(({ value }) => value)),
        toolsLeave: fc.constantFrom(...CHAT_SETTINGS.toolsLeave.options).map(({ value }) => value),
        reservedResponseTokens: fc.nat(999),
        compaction: fc.constantFrom(...CHAT_SETTINGS.compaction.options).map(({ value }) => value),
        compactionPolicy: fc.constantFrom(...CHAT_SETTINGS.compactionPolicy.options).map(({ value }) => value),
        summaryAsk: fc.constantFrom(...CHAT_SETTINGS.summaryAsk.options).map(({ value }) => value),
        compactionTrigger: fc.constantFrom(...CHAT_SETTINGS.compactionTrigger.options).map(({ value }) => value),
        verbatimTokens: fc.integer({ min: 500, max: 20_000 }),
        leastExchanges: fc.integer({ min: 1, max: 9 }),
        recentMessages: fc.integer({ min: 10, max: 40 }),
        leastRecentMessages: fc.integer({ min: 1, max: 10 }),
        summaryStyle: fc.constantFrom(...CHAT_SETTINGS.summaryStyle.options).map(({ value }) => value),
        whileAway: fc.constantFrom(...CHAT_SETTINGS.whileAway.options).map(({ value }) => value),
        whileAwayLimit: fc.integer({ min: 1, max: 500 }),
        titles: fc.constantFrom(...CHAT_SETTINGS.titles.options).map(({ value }) => value),
        titleModel: fc.constantFrom('', 'a/m', 'b.c/v/m:7b'),
        topicModel: fc.constantFrom('', 'a/m', 'b.c/v/m:7b'),
        editorDate: ON_OFF,
        editorFile: ON_OFF,
        editorSelection: ON_OFF,
        editorVisible: ON_OFF,
        editorGit: ON_OFF,
        editorTabs: ON_OFF,
        editorProblems: ON_OFF,
        editorTerminal: ON_OFF,
        editorMostTokens: fc.nat(9_999),
        repositoryMap: fc.constantFrom(...CHAT_SETTINGS.repositoryMap.options).map(({ value }) => value),
        repositoryTokens: fc.integer({ min: 200, max: 9_999 }),
        repositoryWithout: fc.constantFrom('', 'vendor/'),
      })
      // `fc.record` makes some objects without a prototype. Configs have one.
      .map((one) => structuredClone(one));
    forAll(config, (one) => {
      assert.deepEqual(readConfig(JSON.parse(JSON.stringify(plainConfig(one))) as object, BASE), { config: one, problems: [] });
    });
  });

  it('keeps what no value was given for', () => {
    assert.deepEqual(readConfig({}, BASE), { config: BASE, problems: [] });
    assert.deepEqual(readConfig({ model: undefined }, BASE), { config: BASE, problems: [] });
  });
});

describe('the change of a config', () => {
  it('holds what it names and nothing else', () => {
    assert.deepEqual(change({}), {});
    assert.deepEqual(change({ model: 'a/b' }), { model: { provider: 'a', model: 'b' } });
    assert.deepEqual(change({ maxPromptTokens: 300, reservedResponseTokens: 100 }), { maxPromptTokens: 300, reservedResponseTokens: 100 });
  });

  it('is refused for a setting that there is not', () => {
    for (const name of ['apiKey', 'toString', 'constructor', '__proto__', '']) {
      assert.throws(() => change({ [name]: 'x' }), { kind: 'invalidInput' }, name);
    }
  });

  it('is refused for a value that the setting does not take', () => {
    const wrong: Record<string, unknown>[] = [
      { model: 'x' },
      { titleModel: 'x' },
      { cacheMode: 'hot' },
      { systemPrompt: 1 },
      { maxPromptTokens: 0 },
    ];
    for (const values of [...wrong, { reservedResponseTokens: null }, { reservedResponseTokens: 0.5 }]) {
      assert.throws(() => change(values), { kind: 'invalidInput' }, JSON.stringify(values));
    }
  });

  it('is refused when the reserve leaves no room below the limit, from either side', () => {
    assert.throws(() => change({ maxPromptTokens: 512 }), /Context limit is invalid; expected a whole number, 513 or more\./);
    const limited = { ...BASE, maxPromptTokens: 1_000 };
    assert.throws(() => configChange(limited, { reservedResponseTokens: 1_000 }), /expected a whole number from 0 to 999\./);
    assert.deepEqual(configChange(limited, { reservedResponseTokens: 999 }), { reservedResponseTokens: 999 });
    assert.deepEqual(configChange(limited, { maxPromptTokens: null }), { maxPromptTokens: null });
  });

  it('leaves a contradiction alone that was there before and that it does not touch', () => {
    const torn = { ...BASE, maxPromptTokens: 100 };
    assert.deepEqual(configChange(torn, { systemPrompt: 'x' }), { systemPrompt: 'x' });
    assert.deepEqual(
      [settingBounds('maxPromptTokens', torn), settingBounds('reservedResponseTokens', torn)],
      [
        { least: 513, most: null },
        { least: 0, most: 99 },
      ],
    );
  });
});
