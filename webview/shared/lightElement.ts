import { LitElement } from 'lit';

/**
 * A component without a shadow root: one style sheet, one tree of ids and names, so that labels, live regions and
 * text selection reach across components.
 */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
