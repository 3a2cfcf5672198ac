import { html, nothing, type TemplateResult } from 'lit';
import { iconButton } from '../../shared/controls/buttons.js';

export interface ChatRowHandlers {
  onRename(): void;
  onOpenInEditor(): void;
  onExport(): void;
  onDelete(): void;
}

export function chatRowActions(isReadable: boolean, on: ChatRowHandlers): TemplateResult {
  return html`${
    isReadable
      ? html`${iconButton({
          label: 'Rename',
          icon: 'edit',
          shortcut: 'F2',
          onClick: () => {
            on.onRename();
          },
        })}
        ${iconButton({
          label: 'Open in editor',
          icon: 'link-external',
          shortcut: 'Ctrl+Enter',
          onClick: () => {
            on.onOpenInEditor();
          },
        })}
        ${iconButton({
          label: 'Export...',
          icon: 'export',
          shortcut: 'Shift+Enter',
          onClick: () => {
            on.onExport();
          },
        })}`
      : nothing
  }
  ${iconButton({
    label: 'Delete',
    icon: 'trash',
    shortcut: 'Delete',
    onClick: () => {
      on.onDelete();
    },
  })}`;
}

/** Returns the action of a key that the user pressed in a row. Null for a key without an action. */
export function rowKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): 'rename' | 'openInEditor' | 'export' | 'delete' | null {
  switch (key) {
    case 'F2':
      return 'rename';
    case 'Delete':
      return 'delete';
    case 'Enter':
      return ctrlKey || metaKey ? 'openInEditor' : shiftKey ? 'export' : null;
    default:
      return null;
  }
}
