import { doJob } from './child.js';

process.stdout.write(String(await doJob(process.argv[2] ?? '', process.argv[3] ?? '')));
