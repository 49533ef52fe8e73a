/** Text of a file where an editor shows one line of plain text: titles of lenses and actions, rows of reports. */

/** Longer names say nothing more, and a name may be a megabyte. */
const MAX_LENGTH = 400;

const FIRST_PICTURE = 0x2400;

/**
 * Line breaks and other control characters as their pictures (`␊`), so that a name stays on its line; marks that turn the direction of
 * writing and halves of surrogate pairs as `�`, so that what is shown is what is there.
 */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (c) => {
    const unit = c.charCodeAt(0);
    if (unit < 0x20) return String.fromCharCode(FIRST_PICTURE + unit);
    return unit === 0x7f ? '␡' : '\ufffd';
  });

const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** At most `MAX_LENGTH` characters. */
export const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`;

/** A text of the file as part of one line. */
export const oneLine = (text: string): string => cut(visible(text));
