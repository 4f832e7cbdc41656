import { cryptography } from '../cryptography.ts';
import { asObject, firstString } from '../json.ts';

/** What a run has noted of its preview: this hostname was given to its pull request, on this project. */
export interface Claim {
  hostname: string;
  /** In lower case. */
  projectId: string;
}

/** A claim as it stands on GitHub, with a mark that nobody can make without the key. */
export interface SignedClaim extends Claim {
  /** 64 hex digits. */
  mark: string;
}

/** Signs the claims of one pull request, and tells them from all others. */
export interface ClaimSeal {
  sign(claim: Claim): SignedClaim;
  /** The claim in something that was read; undefined if there is none, or nobody with the key has signed it. */
  open(read: unknown): Claim | undefined;
}

/**
 * Makes the seal of a pull request's claims: HMAC-SHA256 over repository, number, hostname and project. Others can
 * write to GitHub what looks like ours, and copy what is ours from one pull request to another.
 */
export function sealOf(key: Buffer, repository: string, number: number): ClaimSeal {
  const markOf = ({ hostname, projectId }: Claim) =>
    cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, number, hostname, projectId]))
      .digest();
  return {
    sign: (claim) => ({ ...claim, mark: markOf(claim).toString('hex') }),
    open: (read) => {
      const object = asObject(read);
      const text = (field: string) => firstString(object, [field]) ?? '';
      const claim = { hostname: text('hostname'), projectId: text('projectId') };
      const [given, wanted] = [Buffer.from(text('mark'), 'hex'), markOf(claim)];
      const isSigned =
        given.length === wanted.length && cryptography().timingSafeEqual(given, wanted);
      return isSigned ? claim : undefined;
    },
  };
}

const line =
  /^<!-- site-deploy [^\n]*-->\r?\n<!-- site-deploy-preview (\S+) (\S+) ([0-9a-f]{64}) -->/;

/** A claim as the second line of a comment, below its marker: hidden, like that. */
export function writeClaimLine({ hostname, projectId, mark }: SignedClaim): string {
  return `<!-- site-deploy-preview ${hostname} ${projectId} ${mark} -->`;
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
  const [, hostname, projectId, mark] = line.exec(body) ?? [];
  if (hostname === undefined || projectId === undefined || mark === undefined) return undefined;
  return { hostname, projectId, mark };
}
