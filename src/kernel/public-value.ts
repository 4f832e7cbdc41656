/** The hostname that a value is exactly, or whose origin it is; undefined if it is neither. */
function hostnameIn(value: string): string | undefined {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && (value === url.hostname || value === url.origin) ? url.hostname : undefined;
}

/**
 * True if a value is exactly the hostname or the origin of a domain that the run tells of: everybody can read it
 * there, and to hide it would take the addresses out of the run's own report.
 *
 * @param isTold true for the hostnames that the run tells of
 */
export function isPublicValue(value: string, isTold: (hostname: string) => boolean): boolean {
  const hostname = hostnameIn(value);
  return hostname !== undefined && isTold(hostname);
}
