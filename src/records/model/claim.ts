import { cryptography } from '../../kernel/cryptography.ts';
import { asObject, firstString } from '../../kernel/json.ts';

/** What a preview was given: this hostname, on this project. */
export interface Taken {
  hostname: string;
  /** In lower case. */
  projectId: string;
}

/** What a run has noted of its preview: that its pull request was given it. */
export interface Claim extends Taken {
  /**
   * Bound to its run: the number of the run that took it, or a greater one than that of the last end before it. 0 if it
   * was signed before claims were bound.
   */
  run: number;
}

/** A claim as it stands on GitHub, with a mark that nobody can make without the key. */
export interface SignedClaim extends Claim {
  /** 64 hex digits. */
  mark: string;
}

/** A claim as it stands in a comment; without a run if it was signed before claims were bound. */
export type WrittenClaim = Omit<SignedClaim, 'run'> & Partial<Pick<SignedClaim, 'run'>>;

/** Signs the claims of one pull request and their ends, and tells them from all others. */
export interface ClaimSeal {
  sign(claim: Claim): SignedClaim;
  /** The claim in something that was read; undefined if there is none, or nobody with the key has signed it. */
  open(read: unknown): Claim | undefined;
  /** The fragment of an address that ends all claims of a hostname up to that of a run. */
  signEnd(hostname: string, run: number): string;
  /** Up to which run an address ends the claims of a hostname; undefined if nobody with the key has written it. */
  openEnd(hostname: string, address: string): number | undefined;
}

const fragment = /#site-deploy\.preview-ended\.(\d{1,16})\.([0-9a-f]{64})$/;

/**
 * Makes the seal of a pull request's claims: HMAC-SHA256 over repository, number, hostname, project and run. Others can
 * write to GitHub what looks like ours, and copy what is ours from one pull request to another, or bring it back after
 * its end: so that is signed, too, and says up to which run.
 */
export function sealOf(key: Buffer, repository: string, number: number): ClaimSeal {
  const digestOf = (...parts: readonly unknown[]) =>
    cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, number, ...parts]))
      .digest();
  const isSame = (given: string, wanted: Buffer) => {
    const read = Buffer.from(given, 'hex');
    return read.length === wanted.length && cryptography().timingSafeEqual(read, wanted);
  };
  const markOf = ({ hostname, projectId, run }: Claim) => digestOf(hostname, projectId, run);
  const unboundMarkOf = ({ hostname, projectId }: Taken) => digestOf(hostname, projectId);
  // An object: no claim of a hostname and a project has the same digest, whatever their names are.
  const endOf = (hostname: string, run: number) => digestOf({ ended: hostname }, run);
  return {
    sign: (claim) => ({ ...claim, mark: markOf(claim).toString('hex') }),
    open: (read) => {
      const object = asObject(read);
      const text = (field: string) => firstString(object, [field]) ?? '';
      const run = object?.['run'];
      const taken = { hostname: text('hostname'), projectId: text('projectId') };
      const claim = { ...taken, run: typeof run === 'number' ? run : 0 };
      const wanted = run === undefined ? unboundMarkOf(taken) : markOf(claim);
      return isSame(text('mark'), wanted) ? claim : undefined;
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

/** A claim as the second line of a comment, below its marker: hidden, like that. */
export function writeClaimLine({ hostname, projectId, run, mark }: WrittenClaim): string {
  const words = [hostname, projectId, ...(run === undefined ? [] : [run]), mark];
  return `<!-- site-deploy-preview ${words.join(' ')} -->`;
}

/**
 * A comment's new text with the claim of its old one, if it has none of its own: who wrote the new one may not have
 * known of it.
 */
export function carryClaim(before: string, text: string): string {
  const claim = readClaimLine(before);
  if (claim === undefined || readClaimLine(text) !== undefined) return text;
  return text.replace(/^.*/, (marker) => `${marker}\n${writeClaimLine(claim)}`);
}

/** Reads the claim below a comment's marker, for {@link ClaimSeal.open} to judge. */
export function readClaimLine(body: string): WrittenClaim | undefined {
  const [, hostname, projectId, run, mark] = line.exec(body) ?? [];
  if (hostname === undefined || projectId === undefined || mark === undefined) return undefined;
  return { hostname, projectId, ...(run !== undefined && { run: Number(run) }), mark };
}
