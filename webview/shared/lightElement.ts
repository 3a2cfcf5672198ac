import { LitElement, type PropertyDeclaration, type PropertyDeclarations } from 'lit';

/**
 * A component without a shadow root. One style sheet and one tree of ids let labels, live regions and text selection
 * reach across components.
 */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** The reactive properties of an element: those `given` by its parent, never as attributes, and its `own`. */
export function reactive(given: readonly string[], own: readonly string[]): PropertyDeclarations {
  return Object.fromEntries([
    ...given.map((name): [string, PropertyDeclaration] => [name, { attribute: false }]),
    ...own.map((name): [string, PropertyDeclaration] => [name, { state: true }]),
  ]);
}
