import * as vscode from 'vscode';
import { MOST_CATALOG_FILES } from '../files/catalogListing.js';
import { NESTED_FILES } from './catalogPlaces.js';

/** The places on disk of the rules in the folders below those of the workspace. Those of packages are the packages' own. */
export async function findNestedRules(): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles(`*/**/{${NESTED_FILES.join(',')}}`, '**/node_modules/**', MOST_CATALOG_FILES);
  return found.map(({ fsPath }) => fsPath);
}
