import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Reads `+ <group>` and `- <group>` from its input. When the input ends, ends the remaining groups. A shell, because
 * another Node would take 40 MB and 0.1 s, and all systems with process groups have a shell.
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
 * The orphan reaper: ends servers and commands after this process ends, even by SIGKILL or a crash. Starts with the
 * first of them and ends with the last. Windows has no process groups: there, only the closed input ends a server.
 */
export class OrphanReaper {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | null = null;

  /** Ends this process group when Loupe's process ends. */
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

  /** Call this after a group has ended, because its number may be used again. */
  forget(group: number): void {
    this.#groups.delete(group);
    this.#tell('-', group);
    if (this.#groups.size === 0) {
      this.#shell?.stdin?.end();
      this.#shell = null;
    }
  }

  #start(): void {
    // In a separate session, so that a signal to Loupe's group does not end it before its work is done.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    this.#shell = shell;
    const isGone = (): void => {
      if (this.#shell === shell) {
        // It was ended from outside. The next server starts another one for all groups.
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
