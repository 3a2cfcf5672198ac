import type { Layout } from './layout.js';
import { plain } from './plain.js';

/** All layouts, by name: a new one is one file and one line here. */
export const LAYOUTS = { plain } as const satisfies Readonly<Record<string, Layout>>;
