import assert from 'node:assert/strict';
import { CACHE_MODES } from '../../../src/engine/chat/config.js';
import { COMMAND_IDS } from '../../../src/host/commandIds.js';
import { modelKey } from '../../../src/host/models.js';
import { readSettings, SETTINGS_SECTION, settingsTable } from '../../../src/host/settings.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import extension from '../../../package.json' with { type: 'json' };

interface Property {
  readonly default: unknown;
  readonly enum?: readonly string[];
}

const { contributes, capabilities } = extension;
const properties = contributes.configuration.properties as Readonly<Record<string, Property>>;

describe('package.json', () => {
  it('declares the commands that the code has, and no others', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...COMMAND_IDS].sort());
  });

  it('puts every command into the category Loupe, with a title', () => {
    for (const { command, category, title } of contributes.commands) {
      assert.equal(category, 'Loupe', command);
      assert.notEqual(title, '', command);
    }
  });

  it('offers only commands that there are in its menus', () => {
    for (const entry of Object.values(contributes.menus).flat()) {
      assert.ok((COMMAND_IDS as readonly string[]).includes(entry.command), entry.command);
    }
  });

  it('offers Add File to Chat in the explorer and in the title of an editor', () => {
    for (const menu of ['explorer/context', 'editor/title'] as const) {
      assert.ok(contributes.menus[menu].some(({ command }) => command === 'loupe.addFileToContext'), menu);
    }
  });

  it('declares the settings that the code reads, and no others', () => {
    const keys = Object.values(settingsTable(PRACTICE_STANDARD.ref)).map(({ key }) => `${SETTINGS_SECTION}.${key}`);
    assert.deepEqual(Object.keys(properties).sort(), keys.sort());
  });

  it('has the defaults of the code', () => {
    for (const setting of Object.values(settingsTable(PRACTICE_STANDARD.ref))) {
      const declared = properties[`${SETTINGS_SECTION}.${setting.key}`]?.default;
      assert.notEqual(declared, undefined, setting.key);
      assert.deepEqual(setting.read(declared), setting.fallback, setting.key);
    }
    assert.equal(properties['loupe.defaults.model']?.default, modelKey(PRACTICE_STANDARD.ref));
    assert.deepEqual(properties['loupe.defaults.cacheMode']?.enum, CACHE_MODES);
  });

  it('declares settings that are valid as VS Code gives them', () => {
    const section = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key.slice(SETTINGS_SECTION.length + 1), value.default]));
    assert.deepEqual(readSettings(section, PRACTICE_STANDARD.ref).problems, []);
  });

  it('has the names that others rely on', () => {
    assert.equal(`${extension.publisher}.${extension.name}`, 'loupe.loupe');
    assert.deepEqual(contributes.viewsContainers.activitybar.map(({ id }) => id), ['loupe']);
    assert.deepEqual(contributes.views.loupe.map(({ type, id, name }) => [type, id, name]), [['webview', 'loupe.chat', 'Chat']]);
  });

  it('keeps a workspace that is not trusted from changing prompt and model', () => {
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations.sort(), ['loupe.defaults.model', 'loupe.defaults.systemPrompt']);
  });
});
