import { LitElement, type PropertyDeclaration, type PropertyDeclarations } from 'lit';

/**
 * A component without a shadow root: one style sheet, one tree of ids and names, so that labels, live regions and
 * text selection reach across components.
 */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The reactive properties of an element: those that it is given, never as attributes, and those of its own. */
export function reactive(given: readonly string[], own: readonly string[]): PropertyDeclarations {
  return Object.fromEntries([
    ...given.map((name): [string, PropertyDeclaration] => [name, { attribute: false }]),
    ...own.map((name): [string, PropertyDeclaration] => [name, { state: true }]),
  ]);
}
