import { LitElement, type PropertyDeclaration, type PropertyDeclarations } from 'lit';

/** A component without a shadow root, so that labels, live regions and text selection work across components. */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Declares an element's reactive properties: `given` by its parent (never as attributes), and its `own`. */
export function reactive(given: readonly string[], own: readonly string[]): PropertyDeclarations {
  return Object.fromEntries([
    ...given.map((name): [string, PropertyDeclaration] => [name, { attribute: false }]),
    ...own.map((name): [string, PropertyDeclaration] => [name, { state: true }]),
  ]);
}
