/** Written by the release script. */
export const version = '0.0.0';

/** Sent with every request. */
export const userAgent = `site-deploy-action/${version}`;
