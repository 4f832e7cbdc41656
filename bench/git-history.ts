import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

/** 200 MB in 10,000 commits: each gives two of 1,000 files a new content that nothing compresses. */
const shape = { commits: 10_000, files: 1_000, filesPerCommit: 2, fileBytes: 10_000 };

async function write({ stdin }: ChildProcess, chunk: string | Buffer): Promise<void> {
  if (stdin && !stdin.write(chunk)) await once(stdin, 'drain');
}

async function writeCommit(child: ChildProcess, index: number): Promise<void> {
  const { files, filesPerCommit, fileBytes } = shape;
  const message = `Commit ${index}`;
  const who = `committer Ada <ada@example.invalid> ${1_700_000_000 + index} +0000`;
  const from = index === 0 ? 'from refs/heads/main^0\n' : '';
  const head = `commit refs/heads/main\n${who}\ndata ${message.length}\n${message}\n${from}`;
  await write(child, head);
  for (let count = 0; count < filesPerCommit; count += 1) {
    const file = (index * filesPerCommit + count) % files;
    const path = `pages/${file % 30}/${file}.bin`;
    await write(child, `M 100644 inline ${path}\ndata ${fileBytes}\n`);
    await write(child, randomBytes(fileBytes));
    await write(child, '\n');
  }
}

/** Adds a large history, of 200 MB in 10,000 commits, on top of `main` in a repository. */
export async function addHistory(folder: string): Promise<void> {
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  for (let index = 0; index < shape.commits; index += 1) await writeCommit(child, index);
  child.stdin?.end();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`git fast-import ended with status ${status}`);
}
