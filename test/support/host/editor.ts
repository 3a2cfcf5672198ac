import type { EditorSource } from '../../../src/host/context/editorState/editorSource.js';

/** An editor that shows nothing, on one day. */
export const NO_EDITOR: EditorSource = {
  date: () => ({ day: '2026-11-29', timeZone: 'Europe/Berlin' }),
  active: () => Promise.resolve(null),
  problems: () => Promise.resolve([]),
  repository: () => null,
  tabs: () => [],
  lastCommand: () => null,
};
