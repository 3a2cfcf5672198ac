// A tool for language models, as other extensions have them:
//
//   { "place": "Zürich" }   "The tide at Zürich" as text, a pixel with a wrong type, and a broken image
//   { "place": "nowhere" }  an error
//   { "place": "far" }      nothing until it is cancelled
//
// VS Code lists it after loupeTest.tools.add. loupeTest.tools.counts returns the number of started calls, and that of
// cancelled calls.

const vscode = require('vscode');

const TOOL = 'loupeTest_tide';
/** In the condition of the tool in package.json. */
const SHOWN = 'loupeTest.tools';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The beginning of a PNG. */
const BROKEN = new Uint8Array([137, 80, 78, 71]);

/** @returns {{ dispose(): void }[]} */
exports.toolCommands = () => {
  const counts = { begun: 0, cancelled: 0 };
  /** @type {vscode.Disposable | null} */
  let registered = null;
  return [
    { dispose: () => registered?.dispose() },
    vscode.commands.registerCommand('loupeTest.tools.add', async () => {
      registered ??= vscode.lm.registerTool(TOOL, tool(counts));
      await vscode.commands.executeCommand('setContext', SHOWN, true);
    }),
    vscode.commands.registerCommand('loupeTest.tools.counts', () => ({ ...counts })),
  ];
};

/**
 * @param {{ begun: number, cancelled: number }} counts
 * @returns {vscode.LanguageModelTool<{ place: string }>}
 */
function tool(counts) {
  return {
    async invoke({ input: { place } }, token) {
      counts.begun += 1;
      if (place === 'nowhere') throw new Error('There is no tide.');
      if (place === 'far') {
        await new Promise((resolve) => {
          token.onCancellationRequested(resolve);
        });
        counts.cancelled += 1;
      }
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(`The tide at ${place}`),
        vscode.LanguageModelDataPart.image(new Uint8Array(GIF), 'image/png'),
        vscode.LanguageModelDataPart.image(BROKEN, 'image/png'),
      ]);
    },
  };
}
