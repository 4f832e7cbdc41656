import process from 'node:process';
import type { RemoteAddress } from '../model/git-url.ts';
import type { Variables } from './process.ts';

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

/** Settings of git, by their names. */
export type Settings = Readonly<Record<string, string>>;

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

/** The largest single allocation; an object with a larger declared size is not read. */
const largestAllocation = '256m';

/**
 * Version 2 lets a server redirect a part of the fetch to other addresses, which git follows even if it requested none.
 * It is used for GitHub alone, which would list all references in version 0.
 */
const protocolVersion: Readonly<Record<Remote['name'], string>> = { github: '2', project: '0' };

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
  const entries = Object.entries(settings);
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
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
    GIT_ALLOC_LIMIT: largestAllocation,
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

/** The trusted certificates; not every TLS library of curl reads these variables itself. */
function trustedCertificates(inherited: Variables): Settings {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folder } = inherited;
  return {
    ...(file && { 'http.sslCAInfo': file }),
    ...(folder && { 'http.sslCAPath': folder }),
    // Without its installation's settings, Git for Windows finds trusted certificates only in the system's store.
    ...(process.platform === 'win32' && !file && { 'http.sslBackend': 'schannel' }),
  };
}

/** Sends the token in a header to this URL only. */
function credentials({ url, protocol, username, token }: Remote): Settings {
  if (protocol === 'ssh' || token === '') return {};
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  return { [`http.${url}.extraHeader`]: `Authorization: Basic ${basic}` };
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
  const { name, url, protocol } = remote;
  const isSsh = protocol === 'ssh';
  const given = {
    ...always,
    ...ofNetwork,
    'protocol.version': protocolVersion[name],
    ...trustedCertificates(inherited),
    ...credentials(remote),
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
