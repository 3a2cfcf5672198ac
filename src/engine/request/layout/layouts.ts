import { adaptive } from './adaptive/adaptive.js';
import type { Layout } from './layout.js';
import { message70 } from './message70.js';
import { plain } from './plain.js';
import { tiered } from './tiered.js';

/** All layouts by name. A new one needs a file and a line here. */
export const LAYOUTS = { adaptive, tiered, 'message-70': message70, plain } as const satisfies Readonly<Record<string, Layout>>;
