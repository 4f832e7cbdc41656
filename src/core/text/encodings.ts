/** The inside of the JSON string of a text. */
const quote = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Writes every UTF-16 unit that matches as `\u00e4`, as JSON may. */
const escapeUnits = (json: string, unit: RegExp): string =>
  json.replace(unit, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The hex digits of JSON may be capitals; other escapes are passed over whole, `\\u` among them. */
const upperEscapes = (json: string): string =>
  json.replace(/\\(?:u[0-9a-f]{4}|[^u])/g, (found) =>
    found.length > 2 ? `\\u${found.slice(2).toUpperCase()}` : found,
  );

/** The percent signs of a URI may be followed by capitals or not. */
const lowerPercent = (uri: string): string =>
  uri.replace(/%(?:[A-F].|.[A-F])/g, (encoded) => encoded.toLowerCase());

/** JSON as is, twice, with `\/`, for HTML (with the apostrophe or without), in ASCII, and as pairs of these. */
function jsonForms(text: string): string[] {
  if (!/["\\/<>&']|[^\x20-\x7e]/.test(text)) return [];
  const json = quote(text);
  const slashes = json.replaceAll('/', '\\/');
  const escaped = [
    escapeUnits(json, /[<>&\u2028\u2029]/g),
    escapeUnits(json, /[<>&'\u2028\u2029]/g),
    escapeUnits(json, /[^\x20-\x7e]/g),
    escapeUnits(slashes, /[^\x20-\x7e]/g),
    escapeUnits(json, /[<>&']|[^\x20-\x7e]/g),
  ];
  return [json, quote(json), slashes, ...escaped, ...escaped.map(upperEscapes)];
}

function uriForms(text: string): string[] {
  if (/^[\w.-]*$/.test(text)) return [];
  const wellFormed = text.toWellFormed();
  const uri = encodeURIComponent(wellFormed);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  return [uri, lowerPercent(uri), form, lowerPercent(form)];
}

function xmlForms(text: string): string[] {
  const content = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const attribute = content.replaceAll('"', '&quot;');
  const apostrophes = ['&#39;', '&apos;'].map((entity) => attribute.replaceAll("'", entity));
  return [content, attribute, ...apostrophes];
}

/** A shorter piece of base64 could be any word's. */
const shortestPiece = 8;

/**
 * Base64 of a text by itself, and what stays the same of it inside the base64 of a longer text, where its
 * first byte can stand at three places of a group. The characters at its edges that hold bits of its
 * neighbours too are left out.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(`\0\0${text}`);
  const forms = [0, 1, 2].flatMap((shift) => {
    const encoded = bytes.toString('base64', 2 - shift);
    const bits = 8 * (bytes.length - 2 + shift);
    const piece = encoded.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    const pieces = piece.length < shortestPiece ? [] : [piece];
    return shift === 0 ? [encoded, encoded.slice(0, Math.ceil(bits / 6)), ...pieces] : pieces;
  });
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Every way of writing a text that is looked for, each once: most texts are the same in most of them. */
export const encodings = (text: string): Set<string> =>
  new Set([text, ...jsonForms(text), ...uriForms(text), ...xmlForms(text), ...base64Forms(text)]);
