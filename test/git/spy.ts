import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** A start of git, as the program itself saw it. */
export interface GitStart {
  /** The command: `push`. */
  readonly command: string;
  readonly args: string[];
  /** Its environment, `NAME=value`. */
  readonly environment: string[];
  /** The objects that its repository held, and their sizes, if it is a push. */
  readonly objects: string[];
}

/** A stand-in for git, first on the path, that notes how it was started and becomes git. */
export interface Spy {
  /** The `PATH` with which it is found. */
  readonly path: string;
  /** The starts so far, in their order. */
  starts(): Promise<GitStart[]>;
}

/** Makes a spy in a folder of the test's own: a script, which Windows does not start in the place of `git.exe`. A shell itself drops variables with a dash in their name. */
export async function spyOnGit(folder: string): Promise<Spy> {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const notes = join(folder, 'spy-notes');
  const programs = join(folder, 'spy');
  await mkdir(notes);
  await mkdir(programs);
  const script = `#!/bin/sh
note='${notes}'/$(date +%s%N)-$$
for arg; do printf '%s\\0' "$arg"; done > "$note.args"
cat /proc/$$/environ > "$note.env" 2> /dev/null || env -0 > "$note.env"
case " $* " in *" push "*) '${real}' "$1" cat-file --batch-all-objects --batch-check > "$note.objects";; esac
exec '${real}' "$@"
`;
  await writeFile(join(programs, 'git'), script, { mode: 0o755 });
  const read = async (note: string, kind: string, separator: string) => {
    const text = await readFile(join(notes, `${note}.${kind}`), 'utf8').catch(() => '');
    return text.split(separator).filter((part) => part !== '');
  };
  return {
    path: `${programs}${delimiter}${process.env['PATH']}`,
    starts: async () => {
      const files = (await readdir(notes)).filter((name) => name.endsWith('.args')).sort();
      return await Promise.all(
        files.map(async (file) => {
          const note = file.replace('.args', '');
          const args = await read(note, 'args', '\0');
          return {
            command: args.find((arg) => !arg.startsWith('-')) ?? '',
            args,
            environment: await read(note, 'env', '\0'),
            objects: await read(note, 'objects', '\n'),
          };
        }),
      );
    },
  };
}
