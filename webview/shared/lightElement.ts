import { LitElement, type PropertyDeclaration, type PropertyDeclarations } from 'lit';

/** A component without a shadow root. Labels, live regions and text selection then work across components. */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Declares reactive properties: `given` are set by the parent (never as attributes), `own` by the element. */
export function reactive(given: readonly string[], own: readonly string[]): PropertyDeclarations {
  return Object.fromEntries([
    ...given.map((name): [string, PropertyDeclaration] => [name, { attribute: false }]),
    ...own.map((name): [string, PropertyDeclaration] => [name, { state: true }]),
  ]);
}
