/** The commands, as `package.json` declares them (checked by a test); what they do stands in `commands.ts`. */
export const COMMAND_IDS = [
  'loupe.newChat',
  'loupe.openChat',
  'loupe.clearChat',
  'loupe.renameChat',
  'loupe.deleteChat',
  'loupe.forkChat',
  'loupe.searchHistory',
  'loupe.exportChat',
  'loupe.importChat',
  'loupe.sendMessage',
  'loupe.editMessage',
  'loupe.retry',
  'loupe.stop',
  'loupe.addFileToContext',
  'loupe.addSelectionToContext',
  'loupe.removeFromContext',
  'loupe.selectModel',
  'loupe.addProvider',
  'loupe.setApiKey',
  'loupe.removeApiKey',
  'loupe.showRequest',
  'loupe.previewNextRequest',
  'loupe.showUsage',
  'loupe.showLog',
] as const;

export type CommandId = (typeof COMMAND_IDS)[number];
