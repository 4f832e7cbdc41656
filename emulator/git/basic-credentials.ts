/** User name and password of an `Authorization: Basic` header; empty if there are none. */
export function basicCredentials(authorization = ''): { username: string; password: string } {
  const [scheme = '', credentials = ''] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'basic') return { username: '', password: '' };
  const decoded = Buffer.from(credentials, 'base64').toString();
  const colon = decoded.indexOf(':');
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
