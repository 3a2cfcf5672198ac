import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import type { Layout } from '../../../src/engine/request/layout/layout.js';
import { RequestComposer } from '../../../src/host/request/compose/requestComposer.js';

export interface ComposingCounts {
  /** Requests composed for any reader. */
  readonly composed: number;
  /** Requests arranged, which is the slow part. */
  readonly arranged: number;
}

/** Counts what all chats compose while `act` runs, until it has ended. `counts` gives the figures so far. */
export async function whileComposing(act: (counts: () => ComposingCounts) => Promise<void>): Promise<void> {
  const layouts: { lay: Layout['lay'] }[] = Object.values(LAYOUTS);
  const lays = layouts.map(({ lay }) => lay);
  const { prototype } = RequestComposer;
  const compose = Object.getOwnPropertyDescriptor(prototype, 'compose')?.value as RequestComposer['compose'];
  let [composed, arranged] = [0, 0];
  prototype.compose = function (this: RequestComposer, ...of) {
    composed += 1;
    return Reflect.apply(compose, this, of);
  };
  layouts.forEach((layout, at) => {
    layout.lay = (...of) => {
      arranged += 1;
      return lays[at]?.(...of) ?? layout.lay(...of);
    };
  });
  try {
    await act(() => ({ composed, arranged }));
  } finally {
    prototype.compose = compose;
    layouts.forEach((layout, at) => {
      layout.lay = lays[at] ?? layout.lay;
    });
  }
}
