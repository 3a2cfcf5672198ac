import { doJob } from './child.js';

/* What `inFreshProcess` runs: does the job named and writes the milliseconds it took. */

process.stdout.write(String(await doJob(process.argv[2] ?? '', process.argv[3] ?? '')));
