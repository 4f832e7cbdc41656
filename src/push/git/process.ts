import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import { fromWholeLine } from '../model/fault.ts';
import { GitFailure } from '../model/git-failure.ts';
import type { RemoteAddress } from '../model/git-url.ts';

/** A process's environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A git process to be run. */
export interface Command {
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Variables;
  /** The working directory: ours, because Windows looks there for programs first. */
  readonly folder: string;
  /** Kills it and all processes that it started. */
  readonly signal: AbortSignal;
  readonly input?: string | Readable;
  /** Where its standard output goes instead of to {@link ProcessEnd.output}. */
  readonly into?: Writable;
  /** True if its input is untrusted: its memory and file sizes are limited, where the platform supports that. */
  readonly isBounded?: boolean;
}

/** The result of a git process. */
export interface ProcessEnd {
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;
  /** The start of its standard output, in whole lines. */
  readonly output: string;
  /** Its standard error; of a long one the end, from a line with a known beginning. */
  readonly errors: string;
}

/** The most output that is kept, in UTF-16 units: the remote decides how much there is. */
const kept = 256 * 1024;

const isWindows = process.platform === 'win32';

/** Limits of a git process with untrusted input, in KiB: its address space, and each file that it writes. */
const most = { addressSpace: 2 * 1024 * 1024, file: 2 * 1024 * 1024 } as const;

/**
 * The command that starts git. Only Linux limits an address space; macOS limits files alone, and Windows neither. A lower
 * limit of the machine stays.
 */
function commandOf(args: readonly string[], isBounded: boolean): [string, readonly string[]] {
  if (!isBounded || isWindows) return ['git', args];
  // POSIX counts in blocks of 512 bytes.
  const file = `ulimit -f ${most.file * 2}`;
  const memory = process.platform === 'linux' ? `ulimit -v ${most.addressSpace}; ` : '';
  const script = `{ ${memory}${file}; } 2>/dev/null; exec git "$@"`;
  return ['/bin/sh', ['-c', script, 'git', ...args]];
}

/**
 * Runs git to its end. When the signal aborts, or this process exits, git and all processes that it started are killed
 * before the promise settles: its process group on Linux and macOS, its tree by `taskkill` on Windows.
 *
 * @throws a {@link GitFailure} if git can't be started, or its output can't be written; and the signal's reason
 */
export async function runGit(command: Command): Promise<ProcessEnd> {
  const { args, env, folder, signal, input = '', into, isBounded = false } = command;
  signal.throwIfAborted();
  const [file, whole] = commandOf(args, isBounded);
  const child = spawn(file, whole, { cwd: folder, env, detached: !isWindows, windowsHide: true });
  const end = () => endTree(child);
  signal.addEventListener('abort', end);
  process.on('exit', end);
  try {
    let output = '';
    let errors = '';
    let isOutputCut = false;
    let isErrorsCut = false;
    let written: Promise<unknown> = Promise.resolve();
    if (into === undefined) {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < kept) output += text;
        else isOutputCut = true;
      });
    } else written = pipeline(child.stdout, into).catch((error: unknown) => error);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      if (errors.length <= kept) return;
      errors = errors.slice(-kept);
      isErrorsCut = true;
    });
    // It may end before it has read everything; then its exit status and its output report why.
    const giveUp = () => child.stdin.destroy();
    child.stdin.on('error', giveUp);
    if (typeof input === 'string') child.stdin.end(input);
    else pipeline(input, child.stdin).catch(giveUp);
    const [status]: (number | null)[] = await once(child, 'close').catch(
      ({ code = '' }: NodeJS.ErrnoException) => {
        if (code === 'ENOENT') throw new GitFailure({ kind: 'no-git' });
        throw new GitFailure({ kind: 'local', detail: safe`spawn ${unsafeText(code)}` });
      },
    );
    signal.throwIfAborted();
    const fault = await written;
    if (fault !== undefined) throw notWritten(fault);
    return {
      status: status ?? null,
      output: isOutputCut ? output.slice(0, output.lastIndexOf('\n') + 1) : output,
      errors: isErrorsCut ? fromWholeLine(errors) : errors,
    };
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

/** The failure for a temporary file that can't be written. */
export function notWritten(error: unknown): GitFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC')
    return new GitFailure({ kind: 'project', fault: 'no-room', detail: safe`` });
  return new GitFailure({ kind: 'local', detail: safe`write ${unsafeText(code)}` });
}

/** Kills a process and all processes that it started. Git leaves no files outside our folder. */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    const taskkill = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
    spawnSync(taskkill, ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

/** A remote repository and its credentials. */
export interface Remote {
  /** Its name in git's settings. */
  readonly name: 'github' | 'project';
  readonly url: string;
  readonly protocol: RemoteAddress['protocol'];
  readonly username: string;
  /** Empty: no credentials are sent. */
  readonly token: string;
}

/** Settings of git, by their names; undefined: git's own. */
export type Settings = Readonly<Record<string, string | undefined>>;

/**
 * The variables of our environment that git inherits, in lower case: for finding programs and libraries, for proxies, and
 * for the runner to find orphan processes. Everything else may be a secret.
 */
const passed: ReadonlySet<string> = new Set([
  'path',
  'pathext',
  'comspec',
  'systemroot',
  'systemdrive',
  'windir',
  'ld_library_path',
  'runner_tracking_id',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
]);

/** What ssh also needs, for its keys, known hosts and agent. */
const passedToSsh: ReadonlySet<string> = new Set([
  ...passed,
  'home',
  'userprofile',
  'user',
  'logname',
  'username',
  'ssh_auth_sock',
  'ssh_agent_pid',
]);

/** Never prompts: the host must be in known_hosts, and the key must need no passphrase. Keeps no shared connection. */
const ssh =
  'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ControlMaster=no -o ControlPath=none -o ConnectTimeout=30 -o ServerAliveInterval=15 -o ServerAliveCountMax=4';

const always: Settings = {
  // Git would run a program in the repository whose objects are borrowed, with that repository's settings.
  'core.alternateRefsCommand': 'exit 0 #',
  // Git doesn't check these files against the objects, and they may be forged.
  'core.commitGraph': 'false',
  'pack.useBitmaps': 'false',
  // A borrowed multi-pack index would be read before our own packs.
  'core.multiPackIndex': 'false',
  // No background processes.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // What is fetched stays a pack, however small.
  'fetch.unpackLimit': '1',
  // To stay within the process limits, packs are read in small windows and large files are streamed.
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '64m',
  'pack.windowMemory': '128m',
};

const ofNetwork: Settings = {
  // A redirect would take the token to another address.
  'http.followRedirects': 'false',
  // Large pushes break less often, and all versions of curl redact its headers in the trace.
  'http.version': 'HTTP/1.1',
  // A connection without a byte for a minute is broken: git servers send a keepalive every five seconds.
  'http.lowSpeedLimit': '1',
  'http.lowSpeedTime': '60',
};

function select(inherited: Variables, names: ReadonlySet<string>): Variables {
  return Object.fromEntries(
    Object.entries(inherited).filter(([name]) => names.has(name.toLowerCase())),
  );
}

/** Settings as environment variables, which take precedence over git's files. */
function asVariables(settings: Settings): Variables {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  const variables: Record<string, string | undefined> = {
    GIT_CONFIG_COUNT: String(entries.length),
  };
  for (const [index, [name, value]] of entries.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = name;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

/** Ignores all other settings, never prompts, and gives messages in English. */
function baseEnvironment(folder: string): Variables {
  return {
    // No settings, .netrc or credentials of the user.
    HOME: folder,
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    // Git for Windows knows this name too, and can't open NUL.
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // For what a shallow server lacks, git would start itself again without end, each time by the process before.
    GIT_NO_LAZY_FETCH: '1',
    // An object with a larger declared size is not read.
    GIT_ALLOC_LIMIT: '256m',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
  };
}

/**
 * The environment of a git process without network access: no protocol is allowed, and there is no token.
 *
 * @param inherited our own environment
 * @param folder our folder of temporary files
 */
export function localEnvironment(inherited: Variables, folder: string): Variables {
  return {
    ...select(inherited, passed),
    ...baseEnvironment(folder),
    ...asVariables(always),
    GIT_ALLOW_PROTOCOL: '',
  };
}

/**
 * The environment of a git process with access to one remote, with only its protocol and its token. Git traces the HTTP
 * responses to standard error, without bodies and credentials.
 *
 * @param folder our folder of temporary files
 * @param settings more settings
 */
export function remoteEnvironment(
  inherited: Variables,
  folder: string,
  remote: Remote,
  settings: Settings,
): Variables {
  const { name, url, protocol, username, token } = remote;
  const isSsh = protocol === 'ssh';
  const { SSL_CERT_FILE, SSL_CERT_DIR } = inherited;
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  const given: Settings = {
    ...always,
    ...ofNetwork,
    // Version 2 lets a server redirect a part of the fetch to other addresses, which git follows even if it requested none.
    // It is used for GitHub alone, which would list all references in version 0.
    'protocol.version': name === 'github' ? '2' : '0',
    // Not every TLS library of curl reads these variables itself.
    'http.sslCAInfo': SSL_CERT_FILE || undefined,
    'http.sslCAPath': SSL_CERT_DIR || undefined,
    // Without its installation's settings, Git for Windows finds trusted certificates only in the system's store.
    'http.sslBackend': isWindows && !SSL_CERT_FILE ? 'schannel' : undefined,
    // The token is sent to this URL only.
    [`http.${url}.extraHeader`]:
      isSsh || token === '' ? undefined : `Authorization: Basic ${basic}`,
    [`remote.${name}.url`]: url,
    ...settings,
  };
  return {
    ...baseEnvironment(folder),
    ...select(inherited, isSsh ? passedToSsh : passed),
    ...asVariables(given),
    GIT_ALLOW_PROTOCOL: protocol,
    ...(isSsh
      ? { GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh' }
      : { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' }),
  };
}
