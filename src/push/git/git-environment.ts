import process from 'node:process';
import type { RemoteAddress } from '../model/git-url.ts';
import type { Variables } from './process.ts';

/** A repository that is asked over the network, and with what. */
export interface Remote {
  /** The name that git knows it by. */
  readonly name: 'github' | 'project';
  readonly url: string;
  readonly protocol: RemoteAddress['protocol'];
  readonly username: string;
  /** Empty: nothing is sent that tells who we are. */
  readonly token: string;
}

/** Settings of git, by their names. */
export type Settings = Readonly<Record<string, string>>;

/**
 * What any git process is given of our own environment, in lower case: how programs and libraries are found, the
 * proxies, and by what the runner finds processes that were left behind. Everything else may be a secret.
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

/** What ssh needs beside: whose keys and known hosts it uses, and how it reaches their agent. */
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

/**
 * It asks nobody: a host must be known already, and a key must open without a word. It leaves no connection
 * behind, and notices one that died.
 */
const ssh =
  'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ControlMaster=no -o ControlPath=none -o ConnectTimeout=30 -o ServerAliveInterval=15 -o ServerAliveCountMax=4';

const always: Settings = {
  // Git would run a program in the repository whose objects are borrowed, with that one's settings.
  'core.alternateRefsCommand': 'exit 0 #',
  // These files are not checked against the objects, which may be somebody else's.
  'core.commitGraph': 'false',
  'pack.useBitmaps': 'false',
  // One of the borrowed objects would be read before our own packs.
  'core.multiPackIndex': 'false',
  // Nothing goes on in the background.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // What is fetched stays a pack, however small.
  'fetch.unpackLimit': '1',
  // Within the bounds of a process: packs are read in small windows, large files in pieces.
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '64m',
  'pack.windowMemory': '128m',
};

/** The most that git takes at once: an object that is said to be larger is not read. */
const largestAllocation = '256m';

/**
 * Version 2 lets a server send the runner to other addresses for a part of the pack, and git follows, asked for it or
 * not. GitHub is asked by it nevertheless: by version 0 it would list all references.
 */
const protocolVersion: Readonly<Record<Remote['name'], string>> = { github: '2', project: '0' };

const ofNetwork: Settings = {
  // A redirect would take the token to another address.
  'http.followRedirects': 'false',
  // Large pushes break less often so, and no version of curl writes its headers into the trace unredacted.
  'http.version': 'HTTP/1.1',
  // A connection without a byte for a minute is broken; git on the other side sends one every five seconds.
  'http.lowSpeedLimit': '1',
  'http.lowSpeedTime': '60',
};

function select(inherited: Variables, names: ReadonlySet<string>): Variables {
  return Object.fromEntries(
    Object.entries(inherited).filter(([name]) => names.has(name.toLowerCase())),
  );
}

/** Settings as the environment hands them to git, ahead of all others. */
function asVariables(settings: Settings): Variables {
  const entries = Object.entries(settings);
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [index, [name, value]] of entries.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = name;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

/** What keeps everybody else's settings out, asks nobody, and has git speak plain English. */
function basis(folder: string): Variables {
  return {
    // No settings, no .netrc, no credentials of the user's.
    HOME: folder,
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    // Its Windows build knows this name too, and cannot open Windows' own.
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
 * The environment of a git process that talks to nobody: no protocol is allowed, and it holds no token.
 *
 * @param inherited our own environment
 * @param folder our folder of temporary files
 */
export function localEnvironment(inherited: Variables, folder: string): Variables {
  return {
    ...select(inherited, passed),
    ...basis(folder),
    ...asVariables(always),
    GIT_ALLOW_PROTOCOL: '',
  };
}

/** Trust as the environment has it: libraries of curl's do not all read these variables themselves. */
function trust(inherited: Variables): Settings {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folder } = inherited;
  return {
    ...(file && { 'http.sslCAInfo': file }),
    ...(folder && { 'http.sslCAPath': folder }),
    // Without the settings of its installation, git for Windows finds trust only in the system's own store.
    ...(process.platform === 'win32' && !file && { 'http.sslBackend': 'schannel' }),
  };
}

/** The token goes in a header that belongs to this address alone. */
function credentials({ url, protocol, username, token }: Remote): Settings {
  if (protocol === 'ssh' || token === '') return {};
  const basic = Buffer.from(`${username}:${token}`).toString('base64');
  return { [`http.${url}.extraHeader`]: `Authorization: Basic ${basic}` };
}

/**
 * The environment of a git process that talks to one repository: only by that one's protocol, and with its token
 * alone. It tells of the HTTP answers on standard error, without bodies and credentials.
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
    ...trust(inherited),
    ...credentials(remote),
    [`remote.${name}.url`]: url,
    ...settings,
  };
  return {
    ...basis(folder),
    ...select(inherited, isSsh ? passedToSsh : passed),
    ...asVariables(given),
    GIT_ALLOW_PROTOCOL: protocol,
    ...(isSsh
      ? { GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh' }
      : { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' }),
  };
}
