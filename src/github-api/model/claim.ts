import { cryptography } from '../../kernel/cryptography.ts';
import { asObject, firstString } from '../../kernel/json.ts';

/** A preview's hostname and project. */
export interface Taken {
  hostname: string;
  /** In lower case. */
  projectId: string;
}

/** A record that a hostname on a project belongs to a pull request's preview. */
export interface Claim extends Taken {
  /**
   * The number of the run that took the hostname, or a number after the last end of a claim. 0 in old claims, which had
   * no run.
   */
  run: number;
}

/** A claim on GitHub with its signature. */
export interface SignedClaim extends Claim {
  /** 64 hex digits. */
  mark: string;
}

/** A claim in a comment; old ones have no run. */
type WrittenClaim = Omit<SignedClaim, 'run'> & Partial<Pick<SignedClaim, 'run'>>;

/** Signs the claims of one pull request and their ends, and checks the signatures. */
export interface ClaimSeal {
  sign(claim: Claim): SignedClaim;
  /** The claim in a value; undefined if there is none, or its signature is wrong. */
  open(read: unknown): Claim | undefined;
  /** A URL fragment that ends all claims of a hostname up to that of a run. */
  signEnd(hostname: string, run: number): string;
  /** The run up to which a URL ends the claims of a hostname; undefined if its signature is wrong. */
  openEnd(hostname: string, address: string): number | undefined;
}

const fragment = /#site-deploy\.preview-ended\.(\d{1,16})\.([0-9a-f]{64})$/;

/**
 * HMAC-SHA256 over repository, number, hostname, project and run. Others can write forged claims to GitHub, copy a claim
 * to another pull request, or restore it after its end; so ends are signed too, with their run.
 */
export function sealOf(key: Buffer, repository: string, number: number): ClaimSeal {
  const digestOf = (...parts: readonly unknown[]) =>
    cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, number, ...parts]))
      .digest();
  const isSame = (given: string, expected: Buffer) => {
    const read = Buffer.from(given, 'hex');
    return read.length === expected.length && cryptography().timingSafeEqual(read, expected);
  };
  const markOf = ({ hostname, projectId, run }: Claim) => digestOf(hostname, projectId, run);
  const unboundMarkOf = ({ hostname, projectId }: Taken) => digestOf(hostname, projectId);
  // An object, so that it can't have the same digest as a claim.
  const endOf = (hostname: string, run: number) => digestOf({ ended: hostname }, run);
  return {
    sign: (claim) => ({ ...claim, mark: markOf(claim).toString('hex') }),
    open: (read) => {
      const object = asObject(read);
      const text = (field: string) => firstString(object, [field]) ?? '';
      const run = object?.['run'];
      const taken = { hostname: text('hostname'), projectId: text('projectId') };
      const claim = { ...taken, run: typeof run === 'number' ? run : 0 };
      const expected = run === undefined ? unboundMarkOf(taken) : markOf(claim);
      return isSame(text('mark'), expected) ? claim : undefined;
    },
    signEnd: (hostname, run) =>
      `#site-deploy.preview-ended.${run}.${endOf(hostname, run).toString('hex')}`,
    openEnd: (hostname, address) => {
      const [, digits, mark = ''] = fragment.exec(address) ?? [];
      const run = Number(digits);
      return digits !== undefined && isSame(mark, endOf(hostname, run)) ? run : undefined;
    },
  };
}

const line =
  /^<!-- site-deploy [^\n]*-->\r?\n<!-- site-deploy-preview (\S+) (\S+) (?:(\d{1,16}) )?([0-9a-f]{64}) -->/;

/** A claim as the hidden second line of a comment, below its marker. */
export function writeClaimLine({ hostname, projectId, run, mark }: WrittenClaim): string {
  const words = [hostname, projectId, ...(run === undefined ? [] : [run]), mark];
  return `<!-- site-deploy-preview ${words.join(' ')} -->`;
}

/**
 * A comment's new text with the claim of its former text, unless it has one itself: its run may not have known the claim.
 */
export function carryClaim(before: string, text: string): string {
  const claim = readClaimLine(before);
  if (claim === undefined || readClaimLine(text) !== undefined) return text;
  return text.replace(/^.*/, (marker) => `${marker}\n${writeClaimLine(claim)}`);
}

/** Reads the claim below a comment's marker. {@link ClaimSeal.open} checks it. */
export function readClaimLine(body: string): WrittenClaim | undefined {
  const [, hostname, projectId, run, mark] = line.exec(body) ?? [];
  if (hostname === undefined || projectId === undefined || mark === undefined) return undefined;
  return { hostname, projectId, ...(run !== undefined && { run: Number(run) }), mark };
}
