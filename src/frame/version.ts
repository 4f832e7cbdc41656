/** The version, as the service's operators see it. */
export const version = '0.0.0';

/** Sent with every request. */
export const userAgent = `site-deploy-action/${version}`;
