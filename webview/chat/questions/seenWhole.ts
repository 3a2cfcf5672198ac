import type { ReactiveController, ReactiveControllerHost } from 'lit';

export const OPEN_FIRST = 'Open the command first to see all of it.';

/**
 * Whether the user could see all of a question that shows a command of another person or of a model. Until then, the
 * user cannot allow it.
 */
export class SeenWhole implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #hides: () => boolean;
  readonly #resized = new ResizeObserver(() => {
    this.#measure();
  });
  #wasOpened = false;
  isCut = true;

  /** `hides`: whether the closed question hides something, as it is rendered now. */
  constructor(host: ReactiveControllerHost & Element, hides: () => boolean) {
    this.#host = host;
    this.#hides = hides;
    host.addController(this);
  }

  hostConnected(): void {
    this.#resized.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#resized.disconnect();
  }

  hostUpdated(): void {
    this.#measure();
  }

  /** Call this before each update. `isNew`: the user has opened the earlier command at most, not this one. */
  note(isOpen: boolean, isNew: boolean): void {
    this.#wasOpened = isOpen || (this.#wasOpened && !isNew);
  }

  #measure(): void {
    const isCut = !this.#wasOpened && this.#hides();
    if (isCut !== this.isCut) {
      this.isCut = isCut;
      this.#host.requestUpdate();
    }
  }
}

/** Less is the part of a letter that reaches below its line, in pixels. */
const LEAST_LINE = 8;

/** Whether the end of a line is cut off, or the line is outside of the visible part of the text around it. */
export function isCutOff(line: Element | null | undefined): boolean {
  if (line === null || line === undefined) {
    return false;
  }
  const told = line.closest('.spend-told');
  const isOutside = told !== null && line.getBoundingClientRect().bottom > told.getBoundingClientRect().bottom;
  return isOutside || line.scrollWidth > line.clientWidth || line.scrollHeight >= line.clientHeight + LEAST_LINE;
}
