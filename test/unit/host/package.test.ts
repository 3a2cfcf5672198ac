import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { SETTING_NAMES, settingOf } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig, plainConfig } from '../../../src/engine/chat/settings/configValues.js';
import { COMMAND_IDS } from '../../../src/host/commands/commandIds.js';
import { parseProviders } from '../../../src/host/models/providers/parseProviders.js';
import { DEFAULT_SILENCE_SECONDS, PROTOCOL_IDS } from '../../../src/host/models/providers/providerConfig.js';
import { MAX_ENTRIES, modelSchema, providerSchema } from '../../../src/host/models/providers/providerSchema.js';
import {
  DEFAULTS_PREFIX,
  EMBEDDINGS_KEY,
  FONT_SIZE_KEY,
  INTRODUCTION_KEY,
  TITLE_BUTTON_KEY,
  SPEND_KEYS,
  readSettings,
} from '../../../src/host/chat/settings.js';
import type { ContextKeys } from '../../../src/host/panel/shell/chatPanels.js';
import { INCLUDE_MODES_KEY } from '../../../src/host/context/catalog/includeSetting.js';
import { RULE_FORMATS_KEY, USER_FILES_KEY } from '../../../src/host/context/catalog/ruleFormats.js';
import { USER_FAMILY_NAMES } from '../../../src/host/context/files/userFiles.js';
import { RULE_FAMILY_NAMES } from '../../../src/host/context/files/ruleFamilies.js';
import { PROVIDERS_KEY } from '../../../src/host/models/providers/providerSettings.js';
import { parseMcpConfig } from '../../../src/tools/mcp/config/mcpConfig.js';
import { MCP_SERVERS_KEY } from '../../../src/host/tools/mcpSources.js';
import { SETTINGS_SECTION } from '../../../src/host/window/settingsSection.js';
import { COUNTER_IDS } from '../../../src/host/models/tokens/counters.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import extension from '../../../package.json' with { type: 'json' };
import { column, columns } from '../../support/columns.js';

interface Property {
  readonly type?: string | readonly string[];
  readonly default: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Property;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly enum?: readonly (string | number | null)[];
  readonly enumDescriptions?: readonly string[];
}

const { contributes, capabilities } = extension;
const properties = contributes.configuration.properties as unknown as Readonly<Record<string, Property>>;
const TITLE_BUTTON = `${SETTINGS_SECTION}.${TITLE_BUTTON_KEY}`;
const PROVIDERS = `${SETTINGS_SECTION}.${PROVIDERS_KEY}`;

/** The form at a path of member names and `items`, in the setting of the providers. */
function form(...path: string[]): Property {
  let at: Property | undefined = properties[PROVIDERS];
  for (const name of path) {
    at = name === '[]' ? at?.items : at?.properties?.[name];
  }
  assert.ok(at, path.join('.'));
  return at;
}

function declared(...path: string[]): string[] {
  return Object.keys(form(...path).properties ?? {}).sort();
}

/** The members of a form in the code's check. */
function members(schema: { readonly shape: object }): string[] {
  return Object.keys(schema.shape).sort();
}

const EMPTY_KEYS: ContextKeys = {
  'loupe.hasNoFiles': true,
  'loupe.hasNoMessage': true,
  'loupe.hasNoReply': true,
  'loupe.hasNoRequest': true,
  'loupe.isAnswering': false,
  'loupe.hasFocus': false,
};

describe('package.json', () => {
  it('has a walkthrough whose steps lead to commands that exist, and are done by them', () => {
    const known = new Set<string>([...COMMAND_IDS, 'loupe.chat.focus']);
    const [walkthrough] = contributes.walkthroughs;
    assert.equal(walkthrough?.steps.length, 5);
    for (const { id, description, media, completionEvents } of walkthrough.steps) {
      const [, link = ''] = /\(command:([\w.]+)\)/.exec(description) ?? [];
      assert.ok(known.has(link), `${id}: ${link}`);
      const isListed = completionEvents.some((event) => event.startsWith('onCommand:') && known.has(event.slice('onCommand:'.length)));
      assert.ok(isListed, id);
      assert.ok(existsSync(media.svg), media.svg);
    }
  });

  it('explains the view to screen readers with commands that exist', () => {
    const help = contributes.views.loupe[0]?.accessibilityHelpContent ?? '';
    const named = Array.from(help.matchAll(/<keybinding:([\w.]+)>/g), ([, id]) => id);
    assert.ok(named.length > 3);
    const unknown = named.filter((id) => id !== 'loupe.chat.focus' && !COMMAND_IDS.some((command) => command === id));
    assert.deepEqual(unknown, []);
  });

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

  it('disables commands by context keys that the host sets, and sets no others', () => {
    const conditions = [
      ...contributes.commands.map((command) => ('enablement' in command ? command.enablement : '')),
      ...contributes.keybindings.map(({ when }) => when),
      ...Object.values(contributes.menus)
        .flat()
        .map((entry) => ('when' in entry ? entry.when : '')),
    ];
    const used = conditions.flatMap((condition) => condition.match(/(?<!== |config\.)\bloupe\.\w+/g) ?? []);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(EMPTY_KEYS).sort());
  });

  it('disables each command that finds nothing to act on', () => {
    const enablement = new Map(
      contributes.commands.map((command) => [command.command, 'enablement' in command ? command.enablement : null]),
    );
    assert.deepEqual(
      ['removeFromContext', 'retry', 'forkChat', 'showRequest', 'stop', 'newChat'].map((id) => enablement.get(`loupe.${id}`)),
      [
        '!loupe.hasNoFiles',
        '!loupe.hasNoMessage && !loupe.isAnswering',
        '!loupe.hasNoReply',
        '!loupe.hasNoRequest',
        'loupe.isAnswering',
        null,
      ],
    );
    assert.deepEqual(contributes.menus.commandPalette, [{ command: 'loupe.addSelectionToContext', when: 'editorHasSelection' }]);
  });

  it('binds keys in its own view only, but for the one that leads there', () => {
    const [first, ...others] = contributes.keybindings;
    assert.equal(first?.command, 'loupe.sendMessage');
    for (const { command, when } of others) {
      assert.ok((COMMAND_IDS as readonly string[]).includes(command), command);
      assert.match(when, /^loupe\.hasFocus\b/, command);
    }
  });

  it('offers Add to Loupe Chat in the explorer and in the title of an editor', () => {
    for (const menu of ['explorer/context', 'editor/title'] as const) {
      const isOffered = contributes.menus[menu].some(({ command }) => command === 'loupe.addFileToContext');
      assert.ok(isOffered, menu);
    }
  });

  it('shows its button in the titles of editors unless a setting hides it', () => {
    const [button] = contributes.menus['editor/title'].filter(({ command }) => command === 'loupe.addFileToContext');
    assert.match(button?.when ?? '', new RegExp(`^config\\.${TITLE_BUTTON.replace('.', '\\.')} && \\(.+\\)$`));
    assert.equal(properties[TITLE_BUTTON]?.default, true);
  });

  it('offers search, a tab, export and usage in the title of its view', () => {
    const offered = contributes.menus['view/title'].map(({ command, when }) => [command, when]);
    for (const id of ['searchHistory', 'openInEditor', 'exportChat', 'copyChat', 'showUsage']) {
      const isOffered = offered.some(([command, when]) => command === `loupe.${id}` && when === 'view == loupe.chat');
      assert.ok(isOffered, id);
    }
  });

  it('is loaded for a tab that was there before a reload, also of a session file, and for nothing else by itself', () => {
    assert.deepEqual(extension.activationEvents, [
      'onFileSystem:loupe-session',
      'onWebviewPanel:loupe.chatEditor',
      'onWebviewPanel:loupe.inspector',
    ]);
  });

  it('can be found by what it is about', () => {
    assert.ok(extension.keywords.length > 0);
  });

  it('declares the settings that the code reads, and no others', () => {
    const keys = SETTING_NAMES.map((name) => `${SETTINGS_SECTION}.${DEFAULTS_PREFIX}${name}`);
    assert.deepEqual(
      Object.keys(properties).sort(),
      [
        ...keys,
        PROVIDERS,
        TITLE_BUTTON,
        ...[
          INTRODUCTION_KEY,
          FONT_SIZE_KEY,
          EMBEDDINGS_KEY,
          INCLUDE_MODES_KEY,
          RULE_FORMATS_KEY,
          USER_FILES_KEY,
          MCP_SERVERS_KEY,
          ...Object.values(SPEND_KEYS),
        ].map((key) => `${SETTINGS_SECTION}.${key}`),
      ].sort(),
    );
  });

  for (const name of SETTING_NAMES) {
    it(`has the default of ${name} as the code has it, what it takes, and its help`, () => {
      const setting = settingOf(name);
      const property = properties[`${SETTINGS_SECTION}.${DEFAULTS_PREFIX}${name}`];
      assert.ok(property, `package.json wants the property ${SETTINGS_SECTION}.${DEFAULTS_PREFIX}${name}`);
      assert.deepEqual(property.default, plainConfig(defaultConfig(PRACTICE_STANDARD.ref))[name]);
      assert.equal(property.description, setting.help);
      const numbers = setting.kind === 'switch' ? [{ value: null, detail: setting.off }, ...setting.numbers] : undefined;
      const options = setting.kind === 'choice' ? setting.options : numbers;
      assert.deepEqual(
        property.enum,
        options?.map(({ value }) => value),
      );
      assert.deepEqual(
        property.enumDescriptions,
        options?.map(({ detail }) => detail),
      );
      assert.equal(property.minimum, setting.kind === 'integer' ? setting.minimum : undefined);
      const isOptional = setting.kind === 'switch' || (setting.kind === 'integer' && setting.empty !== null);
      assert.deepEqual(property.type, isOptional ? ['integer', 'null'] : setting.kind === 'integer' ? 'integer' : 'string');
    });
  }

  it('declares settings that are valid as VS Code gives them', () => {
    const section = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key.slice(SETTINGS_SECTION.length + 1), value.default]),
    );
    assert.deepEqual(readSettings(section, PRACTICE_STANDARD.ref).problems, []);
  });

  it('has the names that others rely on', () => {
    assert.equal(`${extension.publisher}.${extension.name}`, 'loupe.loupe');
    assert.deepEqual(column(contributes.viewsContainers.secondarySidebar, 'id'), ['loupe']);
    assert.deepEqual(columns(contributes.views.loupe, 'type', 'id', 'name'), [['webview', 'loupe.chat', 'Chat']]);
  });

  it('keeps a workspace that is not trusted from changing prompt, model and include modes', () => {
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations.sort(), [
      'loupe.defaults.model',
      'loupe.defaults.systemPrompt',
      'loupe.defaults.titleModel',
      'loupe.defaults.topicModel',
      'loupe.includeModes',
    ]);
  });
});

describe('the setting of the formats of rules in package.json', () => {
  it('names all programs, and uses all of them at first', () => {
    const setting = properties[`${SETTINGS_SECTION}.${RULE_FORMATS_KEY}`];
    assert.deepEqual([setting?.default, setting?.items?.enum], [null, RULE_FAMILY_NAMES]);
  });
});

describe("the setting of the user's own rules in package.json", () => {
  it('cannot be changed by a workspace, so that it cannot send files of the user, names all programs, and is empty', () => {
    const setting = properties[`${SETTINGS_SECTION}.${USER_FILES_KEY}`];
    assert.deepEqual([setting?.scope, setting?.default, setting?.items?.enum], ['application', [], USER_FAMILY_NAMES]);
  });
});

describe('the setting of the model for embeddings in package.json', () => {
  it('cannot be changed by a workspace, so that it cannot send its texts elsewhere, and is off', () => {
    const setting = properties[`${SETTINGS_SECTION}.${EMBEDDINGS_KEY}`];
    assert.deepEqual([setting?.scope, setting?.default], ['application', null]);
  });
});

describe('the setting of MCP servers in package.json', () => {
  const setting = properties[`${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`];

  it('cannot be changed by a workspace, so that it cannot start a program under the name of one of the user, and is empty', () => {
    assert.deepEqual([setting?.scope, setting?.default], ['application', {}]);
    assert.deepEqual(
      parseMcpConfig([{ place: 'setting', isOwn: false, folder: null, content: setting?.default }], {
        sha256: (text) => text,
        environment: {},
      }),
      { servers: [], mistakes: [] },
    );
  });
});

describe('the settings of what is spent in package.json', () => {
  it('ask above $0.25 at first, cap nothing, take no amount below 0, and cannot be lifted by a workspace', () => {
    for (const key of Object.values(SPEND_KEYS)) {
      const setting = properties[`${SETTINGS_SECTION}.${key}`];
      assert.deepEqual(
        [setting?.scope, setting?.default, setting?.minimum],
        ['application', key === SPEND_KEYS.askAbove ? 0.25 : null, 0],
        key,
      );
    }
  });

  it('are 0 where they cannot be read, so that nothing more is spent, and say so', () => {
    const { spendLimits, problems } = readSettings({ spend: { askAbove: '0.5', capPerDay: -1, capPerChat: 2 } }, PRACTICE_STANDARD.ref);
    assert.deepEqual(spendLimits, { askAbove: 0, capPerChat: 2, capPerDay: 0 });
    const named = problems.map((text) => text.split(' ')[0]);
    assert.deepEqual(named, ['loupe.spend.askAbove', 'loupe.spend.capPerDay']);
  });
});

describe('the setting of the providers in package.json', () => {
  it('cannot be changed by a workspace, so that it cannot send a key elsewhere', () => {
    assert.equal(properties[PROVIDERS]?.scope, 'application');
  });

  it('has the members that the code reads, all described, and no others', () => {
    const forms = [
      [['[]'], providerSchema],
      [MODEL, modelSchema],
      [[...MODEL, 'prices'], modelSchema.shape.prices.def.innerType],
      [[...MODEL, 'capabilities'], modelSchema.shape.capabilities.def.innerType],
    ] as const;
    for (const [path, schema] of forms) {
      assert.deepEqual(declared(...path), members(schema), path.join('.'));
      assert.equal(form(...path).additionalProperties, false, path.join('.'));
      for (const name of declared(...path)) {
        assert.notEqual(form(...path, name).description ?? '', '', name);
      }
    }
  });

  it('wants what the code wants', () => {
    assert.deepEqual(
      [form('[]').required, form(...MODEL).required, form(...MODEL, 'prices').required],
      [['id', 'protocol', 'baseUrl'], ['id'], ['input', 'output']],
    );
    assert.deepEqual(form('[]', 'protocol').enum, PROTOCOL_IDS);
    assert.deepEqual(form(...MODEL, 'capabilities', 'counter').enum, COUNTER_IDS);
    assert.deepEqual([form().maxItems, form('[]', 'models').maxItems], [MAX_ENTRIES, MAX_ENTRIES]);
  });

  it('allows the same silence as the code', () => {
    const seconds = form('[]', 'silenceSeconds');
    assert.equal(seconds.default, DEFAULT_SILENCE_SECONDS);
    const isValid = (silenceSeconds: unknown): boolean => parseProviders([{ ...MINIMAL, silenceSeconds }], 'p').problems.length === 0;
    assert.deepEqual([seconds.minimum, seconds.maximum].map(isValid), [true, true]);
    assert.deepEqual([Number(seconds.minimum) - 0.5, Number(seconds.maximum) + 0.5].map(isValid), [false, false]);
  });

  it('takes the same ids and addresses as the code', () => {
    const agree = (name: 'id' | 'baseUrl', value: string): void => {
      const pattern = new RegExp(form('[]', name).pattern ?? '', 'u');
      assert.equal(pattern.test(value), parseProviders([{ ...MINIMAL, [name]: value }], 'p').providers.length === 1, value);
    };
    for (const id of [
      'a',
      'my-server_1.0',
      'practice',
      'practice2',
      'vscode',
      'vscode.x',
      'a/b',
      '',
      'x y',
      'a'.repeat(100),
      'a'.repeat(101),
    ]) {
      agree('id', id);
    }
    for (const url of ['https://a', 'http://127.0.0.1:1/v1', 'ftp://a', 'a', '', 'https://u:p@a', 'https://a?b', 'https://a#b']) {
      agree('baseUrl', url);
    }
  });
});

const MODEL = ['[]', 'models', '[]'];
const MINIMAL = { id: 'cloud', protocol: 'anthropic', baseUrl: 'https://example.com' };
