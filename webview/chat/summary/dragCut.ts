/*
 * Drags the line at which a summary ends. The line snaps to the ends of turns: rows whose `data-cut` is the id of the
 * last message to summarize.
 */

/** A position of the line: the message before it, and the distance from the current position, in CSS pixels. */
export interface CutPlace {
  readonly upTo: string;
  readonly offset: number;
}

/** Returns the position nearest to the pointer, which has moved by `offset`; null for the current position. */
export function nearestCut(places: readonly CutPlace[], offset: number): CutPlace | null {
  const distance = (place: CutPlace | null): number => Math.abs((place?.offset ?? 0) - offset);
  return places.reduce<CutPlace | null>((nearest, place) => (distance(place) < distance(nearest) ? place : nearest), null);
}

/** Starts to drag `line` within the list. `onDrop` gets the message before the new position, if it changed. */
export function dragCut(line: HTMLElement, { pointerId, clientY: begin }: PointerEvent, onDrop: (upTo: string) => void): void {
  const places = placesAround(line);
  let target: CutPlace | null = null;
  const dragging = new AbortController();
  const { signal } = dragging;
  const end = (): void => {
    dragging.abort();
    line.style.translate = '';
  };
  line.setPointerCapture(pointerId);
  line.addEventListener(
    'pointermove',
    ({ clientY }) => {
      target = nearestCut(places, clientY - begin);
      line.style.translate = `0 ${String(target?.offset ?? 0)}px`;
    },
    { signal },
  );
  line.addEventListener(
    'pointerup',
    () => {
      end();
      if (target !== null) {
        onDrop(target.upTo);
      }
    },
    { signal },
  );
  line.addEventListener('lostpointercapture', end, { signal });
}

/**
 * Returns all positions of the line. Below it, the rows move up to fill its gap, so they are measured from its bottom.
 */
function placesAround(line: HTMLElement): readonly CutPlace[] {
  const { top, bottom } = line.getBoundingClientRect();
  return [...(line.parentElement?.querySelectorAll<HTMLElement>('[data-cut]') ?? [])].map((row) => {
    const edge = row.getBoundingClientRect().bottom;
    return { upTo: row.dataset['cut'] ?? '', offset: edge <= top ? edge - top : edge - bottom };
  });
}
