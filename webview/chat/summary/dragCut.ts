/*
 * Dragging the line at which a summary ends. It snaps to the ends of exchanges: the rows with `data-cut`, the id that
 * the line would then stand for.
 */

/** A place for the line: the message that it stands behind, and how far down it is from where the line is, in CSS pixels. */
export interface CutPlace {
  readonly upTo: string;
  readonly offset: number;
}

/** The place nearest to where the pointer has taken the line, which is `offset` below its own; null for where it is. */
export function nearestCut(places: readonly CutPlace[], offset: number): CutPlace | null {
  const distance = (place: CutPlace | null): number => Math.abs((place?.offset ?? 0) - offset);
  return places.reduce<CutPlace | null>((nearest, place) => (distance(place) < distance(nearest) ? place : nearest), null);
}

/** Begins to drag `line`, as far as the list reaches; `onDrop` gets the message that it is let go behind, if that is another. */
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

/** Where the line may go: above it below a row, and behind it, where the rows close the gap that it leaves, above the next one. */
function placesAround(line: HTMLElement): readonly CutPlace[] {
  const { top, bottom } = line.getBoundingClientRect();
  return [...(line.parentElement?.querySelectorAll<HTMLElement>('[data-cut]') ?? [])].map((row) => {
    const edge = row.getBoundingClientRect().bottom;
    return { upTo: row.dataset['cut'] ?? '', offset: edge <= top ? edge - top : edge - bottom };
  });
}
