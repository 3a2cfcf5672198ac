import * as vscode from 'vscode';
import { toLoupeError } from '../../../engine/errors.js';
import { webAddress } from '../../../tools/web/webAddress.js';

/** Asks whether Loupe may open a host on this computer or in a private network. `host` contains the port. */
export async function askForPrivateHost(host: string, addresses: readonly string[]): Promise<boolean> {
  const open = 'Open';
  const isNamed = addresses.some((address) => host.includes(address));
  const detail =
    `${isNamed ? host : `${host} (${addresses.join(', ')})`} is on this computer or in a private network. ` +
    'Its pages can contain data that is not public. Loupe sends the text of the page to the model.';
  return (await vscode.window.showWarningMessage(`Open ${host}?`, { modal: true, detail }, open)) === open;
}

/** Asks the user for the address of a page. Returns null when the user cancels. */
export async function askForAddress(): Promise<string | null> {
  const problemOf = (text: string): string | null => {
    try {
      webAddress(text);
      return null;
    } catch (thrown) {
      return toLoupeError(thrown).message;
    }
  };
  const given = await vscode.window.showInputBox({
    title: 'Add a web page',
    prompt: 'Enter the address of the page.',
    placeHolder: 'https://',
    validateInput: (text) => (text.trim() === '' ? null : problemOf(text)),
  });
  return given === undefined || given.trim() === '' ? null : given;
}
