import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Script that reads `+ <group>` and `- <group>`. At the end of its input, it ends all groups that were not removed. A
 * shell script, because a second Node process would take 40 MB and 0.1 s. All systems with process groups have a shell.
 */
const SCRIPT = `groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) rest=; for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done; groups=$rest ;;
  esac
done
for each in $groups; do kill -TERM "-$each" 2>/dev/null; done
[ -z "$groups" ] || sleep 2
for each in $groups; do kill -KILL "-$each" 2>/dev/null; done
exit 0`;

/**
 * The orphan reaper: a process that ends servers and commands after a crash of Loupe's process, even by SIGKILL. Runs
 * while a server or command runs. Windows has no process groups: a server on Windows ends when its input closes.
 */
export class OrphanReaper {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | null = null;

  /** Adds a process group. The reaper ends the group when Loupe's process ends. */
  watch(group: number): void {
    if (process.platform === 'win32') {
      return;
    }
    this.#groups.add(group);
    if (this.#shell === null) {
      this.#start();
    } else {
      this.#tell('+', group);
    }
  }

  /** Removes a group. Call this after the end of the group, because the system may reuse its number. */
  forget(group: number): void {
    this.#groups.delete(group);
    this.#tell('-', group);
    if (this.#groups.size === 0) {
      this.#shell?.stdin?.end();
      this.#shell = null;
    }
  }

  #start(): void {
    // In a separate session, the reaper survives signals to Loupe's process group.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    this.#shell = shell;
    const isGone = (): void => {
      if (this.#shell === shell) {
        // Another program has ended the reaper. The next server starts a new reaper for all groups.
        this.#shell = null;
      }
    };
    shell.once('exit', isGone);
    shell.once('error', isGone);
    shell.stdin.on('error', isGone);
    shell.unref();
    for (const group of this.#groups) {
      this.#tell('+', group);
    }
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#shell?.stdin?.write(`${sign} ${String(group)}\n`);
  }
}
