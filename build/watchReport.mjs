// Output of `npm run watch`. The problem matcher of .vscode/tasks.json waits for these lines: F5 starts the extension
// when all bundles are built.

import * as esbuild from 'esbuild';

const BEGINS = '[watch] build started';
const ENDS = '[watch] build finished';

/**
 * Reports several builds as one: it begins with the first build and ends with the last one. At the start all builds
 * count as running, because one may end before the next begins. Errors are printed here, because esbuild would print
 * them after the end of a build.
 *
 * @param {readonly string[]} names - of the builds
 * @param {(text: string) => void} say
 * @returns {(name: string) => esbuild.Plugin} the plugin for each build
 */
export function watchReport(names, say) {
  const building = new Set(names);
  say(BEGINS);
  return (name) => ({
    name: 'watch-report',
    setup(build) {
      build.onStart(() => {
        if (building.size === 0) say(BEGINS);
        building.add(name);
      });
      build.onEnd(async ({ errors, warnings }) => {
        for (const text of [...(await inWords(errors, 'error')), ...(await inWords(warnings, 'warning'))]) say(text);
        building.delete(name);
        if (building.size === 0) say(ENDS);
      });
    },
  });
}

/**
 * @param {esbuild.Message[]} messages
 * @param {'error' | 'warning'} kind
 */
function inWords(messages, kind) {
  return esbuild.formatMessages(messages, { kind, color: process.stdout.isTTY });
}
