import { cryptography } from '../cryptography.ts';
import { asObject, firstString } from '../json.ts';

/** What a preview was given: this hostname, on this project. */
export interface Taken {
  hostname: string;
  /** In lower case. */
  projectId: string;
}

/** What a run has noted of its preview: that its pull request was given it. */
export interface Claim extends Taken {
  /** Bound to its run: the number of the run that took it, or a greater one than that of the last end before it. */
  run: number;
}

/** A claim as it stands on GitHub, with a mark that nobody can make without the key. */
export interface SignedClaim extends Claim {
  /** 64 hex digits. */
  mark: string;
}

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
  const endOf = (hostname: string, run: number) => digestOf('ended', hostname, run);
  return {
    sign: (claim) => ({ ...claim, mark: markOf(claim).toString('hex') }),
    open: (read) => {
      const object = asObject(read);
      const text = (field: string) => firstString(object, [field]) ?? '';
      const run = object?.['run'];
      if (typeof run !== 'number') return undefined;
      const claim = { hostname: text('hostname'), projectId: text('projectId'), run };
      return isSame(text('mark'), markOf(claim)) ? claim : undefined;
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
  /^<!-- site-deploy [^\n]*-->\r?\n<!-- site-deploy-preview (\S+) (\S+) (\d{1,16}) ([0-9a-f]{64}) -->/;

/** A claim as the second line of a comment, below its marker: hidden, like that. */
export function writeClaimLine({ hostname, projectId, run, mark }: SignedClaim): string {
  return `<!-- site-deploy-preview ${hostname} ${projectId} ${run} ${mark} -->`;
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
export function readClaimLine(body: string): SignedClaim | undefined {
  const [, hostname, projectId, run, mark] = line.exec(body) ?? [];
  if (hostname === undefined || projectId === undefined || mark === undefined) return undefined;
  return { hostname, projectId, run: Number(run), mark };
}
