import type { ManagedType } from '../../../src/protocol/panel/manager.js';

/** The sections to which the user can add items. */
export type GrowingType = Exclude<ManagedType, 'repository'>;

/** The title of each section, with the text and the button for an empty section. */
export const SECTIONS: Readonly<Record<GrowingType, { readonly title: string; readonly none: string; readonly add: string }>> = {
  rule: { title: 'Rules', none: 'No rules yet. Loupe reads rules from AGENTS.md and .loupe/rules.', add: 'New rule' },
  reference: { title: 'References', none: 'No references yet. Loupe reads references from .loupe/references.', add: 'New reference' },
  skill: { title: 'Skills', none: 'No skills yet. Loupe reads skills from .agents/skills.', add: 'New skill' },
  tool: { title: 'Tools', none: 'No tools yet.', add: 'Add a server' },
  file: { title: 'Files', none: 'No files yet. Add files, or type @ and a file name in your message.', add: 'Add files' },
  page: { title: 'Web pages', none: 'No web pages yet. Add a page, or type @ and an address in your message.', add: 'Add a web page' },
};
