import { LitElement, type PropertyDeclaration, type PropertyDeclarations } from 'lit';

/** A component without a shadow root. Labels, live regions and text selection can then reach across components. */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Declares the reactive properties of an element: `given` by its parent, never as attributes, and its `own`. */
export function reactive(given: readonly string[], own: readonly string[]): PropertyDeclarations {
  return Object.fromEntries([
    ...given.map((name): [string, PropertyDeclaration] => [name, { attribute: false }]),
    ...own.map((name): [string, PropertyDeclaration] => [name, { state: true }]),
  ]);
}
