// Desktop VS Code with extension tests.

/**
 * @typedef {object} DesktopRun
 * @property {string | null} executable - of an installed VS Code; null: download one
 * @property {string[]} extensions - their folders
 * @property {string} testsPath
 * @property {string} workspace
 * @property {string} userFolder - for settings and storage
 */

/**
 * Runs all tests.
 *
 * @param {DesktopRun} run
 * @returns {Promise<string | null>} what went wrong, in one sentence with the next step
 */
export async function launchDesktop({ executable, extensions, testsPath, workspace, userFolder }) {
  const { runTests } = await import('@vscode/test-electron');
  try {
    await runTests({
      ...(executable === null ? {} : { vscodeExecutablePath: executable }),
      extensionDevelopmentPath: extensions,
      extensionTestsPath: testsPath,
      // Without the other extensions of this computer.
      launchArgs: [workspace, '--disable-extensions', '--user-data-dir', userFolder],
    });
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return executable === null
      ? `VS Code could not be downloaded or run (${reason}): pass an installed one with npm run test:electron -- --vscode <path>.`
      : `${executable} did not run the tests (${reason}): check that it is VS Code's own program, and on Linux that there is a display.`;
  }
}
