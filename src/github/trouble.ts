import { clean } from '../core/text/clean.ts';

/** Who should be allowed what, when GitHub refuses it. */
export type Permission = 'pull-requests: write' | 'pull-requests: read' | 'deployments: write';

/**
 * What went wrong with GitHub, in one line, with the line of `permissions:` that is missing if that is it.
 *
 * @param doing what was tried, such as "write the comment"
 */
export function describeTrouble(doing: string, error: unknown, permission: Permission): string {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
  const words = error instanceof Error ? clean(error.message, 200) : clean(String(error), 200);
  const answered = status === undefined ? '' : ` (GitHub answered ${status})`;
  const advice =
    status === 403 || status === 404
      ? ` Give the job the line "${permission}" under permissions:.`
      : '';
  return `Could not ${doing}${answered}: ${words}.${advice}`;
}
