/** The hostname of a value that is exactly a hostname or an origin; undefined for any other value. */
function hostnameIn(value: string): string | undefined {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && (value === url.hostname || value === url.origin) ? url.hostname : undefined;
}

/**
 * True if a value is exactly the hostname or the origin of a domain that the run reports: it is public there, and
 * masking it would remove the addresses from the run's own report.
 *
 * @param isTold true for the hostnames that the run reports
 */
export function isPublicValue(value: string, isTold: (hostname: string) => boolean): boolean {
  const hostname = hostnameIn(value);
  return hostname !== undefined && isTold(hostname);
}
