import * as vscode from 'vscode';
import { headings, type Heading } from './readablePage.js';

/** The language of readable requests. `package.json` declares it, and wraps its lines. */
export const READABLE_LANGUAGE = 'loupe-request';

/** Lets readable requests be folded and gone through by their headings, and sets these off from the text. */
export function requestOutline(): vscode.Disposable {
  const heading = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    fontWeight: '600',
    color: new vscode.ThemeColor('editor.foreground'),
    backgroundColor: new vscode.ThemeColor('editorStickyScrollHover.background'),
  });
  const paint = (editor: vscode.TextEditor): void => {
    if (editor.document.languageId === READABLE_LANGUAGE) {
      editor.setDecorations(
        heading,
        headingsOf(editor.document).map(({ line }) => editor.document.lineAt(line).range),
      );
    }
  };
  vscode.window.visibleTextEditors.forEach(paint);
  return vscode.Disposable.from(
    heading,
    vscode.languages.registerFoldingRangeProvider(READABLE_LANGUAGE, { provideFoldingRanges: foldingRanges }),
    vscode.languages.registerDocumentSymbolProvider(READABLE_LANGUAGE, { provideDocumentSymbols: symbols }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      editors.forEach(paint);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach(paint);
    }),
  );
}

function foldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
  return sections(document).map(({ line, end }) => new vscode.FoldingRange(line, end));
}

function symbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  return sections(document).map(({ line, end, text }) => {
    const range = new vscode.Range(document.lineAt(line).range.start, document.lineAt(end).range.end);
    return new vscode.DocumentSymbol(text, '', vscode.SymbolKind.String, range, document.lineAt(line).range);
  });
}

/** The headings, each with the last line of what stands below it. Folded, the empty line stays. */
function sections(document: vscode.TextDocument): (Heading & { readonly end: number })[] {
  const all = headingsOf(document);
  return all.map((heading, index) => ({ ...heading, end: Math.max(heading.line, (all[index + 1]?.line ?? document.lineCount) - 2) }));
}

function headingsOf(document: vscode.TextDocument): Heading[] {
  return headings(document.getText().split(/\r\n|\r|\n/));
}
