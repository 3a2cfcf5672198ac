import * as vscode from 'vscode';
import { failure } from '../../../engine/errors.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { isRuleFamily, RULE_FAMILY_NAMES, type RuleFamily } from '../files/ruleFamilies.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import { familyRows, RULE_FORMATS_KEY, type FamilyRow, type UsedFamilies } from './ruleFormats.js';
import type { CatalogSource } from './workspaceCatalog.js';

export interface RuleFormatPorts {
  readonly catalog: Pick<CatalogSource, 'read' | 'isRestricted'>;
  readonly files: () => WorkspaceFiles;
  readonly used: () => UsedFamilies;
}

/** Sets the programs whose rules chats use. With `names`, asks no question. */
export async function pickRuleFormats(names: unknown, { catalog, files, used }: RuleFormatPorts): Promise<void> {
  if (catalog.isRestricted()) {
    throw failure('catalog.restricted');
  }
  if (Array.isArray(names)) {
    await write(names.filter(isRuleFamily));
    return;
  }
  const inWorkspace = files();
  const rules = [...(await catalog.read()).values()].filter(({ type }) => type === 'rule');
  const pathOf = (source: string): string => inWorkspace.byFolder([source]).flatMap(({ paths }) => paths)[0] ?? source;
  const items = familyRows(rules, used(), pathOf).map((row) => ({ ...row, picked: row.isUsed }));
  const placeHolder = 'Select the programs whose rule files chats use';
  const picked = await vscode.window.showQuickPick<FamilyRow & vscode.QuickPickItem>(items, {
    ...{ title: 'Rule formats', placeHolder, canPickMany: true, matchOnDescription: true },
  });
  if (picked !== undefined) {
    await write(picked.map(({ family }) => family));
  }
}

/** Writes the setting to the workspace, without a folder to the user settings. All programs need no setting. */
async function write(families: readonly RuleFamily[]): Promise<void> {
  const isInFolder = vscode.workspace.workspaceFolders !== undefined;
  const target = isInFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const value = families.length === RULE_FAMILY_NAMES.length ? undefined : RULE_FAMILY_NAMES.filter((name) => families.includes(name));
  try {
    await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(RULE_FORMATS_KEY, value, target);
  } catch (thrown) {
    throw failure('settings.notWritten', { cause: thrown });
  }
}
