// Everything that moves a terminal's cursor, colours it or turns the direction of writing.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text that came from outside, safe to show in a terminal; line feeds stay. */
export const printable = (text: string): string => text.replace(unprintable, escaped)
