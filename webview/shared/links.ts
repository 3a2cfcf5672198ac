/*
 * What a link in a model's text may do. The panel never navigates: a link that may open is handed to the host, any
 * other is shown with its target and does nothing.
 */

const OPENABLE = /^(?:https?:\/\/|mailto:)[^\s]/i;

/** Whether the user may open the target: http, https and mailto only; never `command:`, `javascript:`, `file:`, `data:`. */
export function mayOpen(href: string): boolean {
  return OPENABLE.test(href);
}
