import * as vscode from 'vscode';
import { NEXT_REQUEST } from '../../protocol/inspector.js';

export const REQUEST_SCHEME = 'loupe-request';

/** Stands for the next request, which has not been sent. */
export const NEXT = NEXT_REQUEST;

/** The extension of the raw form, by which VS Code and the menus of `package.json` know it. */
const RAW = '.jsonc';

/** Which request a document shows, and how. */
export interface ShownRequest {
  readonly chatId: string;
  /** Of an attempt, or `NEXT`. */
  readonly id: string;
  /** The tab's name. */
  readonly name: string;
  readonly isRaw: boolean;
}

export function requestUri({ chatId, id, name, isRaw }: ShownRequest): vscode.Uri {
  return vscode.Uri.from({ scheme: REQUEST_SCHEME, path: `/${chatId}/${id}/${name}${isRaw ? RAW : ''}` });
}

/** Null for the URI of another document. */
export function shownRequest({ scheme, path }: vscode.Uri): ShownRequest | null {
  const [, chatId, id, name] = path.split('/');
  if (scheme !== REQUEST_SCHEME || chatId === undefined || id === undefined || name === undefined) {
    return null;
  }
  const isRaw = name.endsWith(RAW);
  return { chatId, id, name: isRaw ? name.slice(0, -RAW.length) : name, isRaw };
}
