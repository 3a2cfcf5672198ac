import type { Layout } from './layout.js';
import { plain } from './plain.js';

/** All layouts by name. A new one needs a file and a line here. */
export const LAYOUTS = { plain } as const satisfies Readonly<Record<string, Layout>>;
