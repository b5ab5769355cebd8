import { escapeHtml } from '@account-import/core/adapter-kit'

// Everything that could end a line or a header, and what turns the direction of writing.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g

const longestValue = 255

/** A value in plain text or a subject: one line, of bounded length. */
export const plain = (text: string): string => text.replaceAll(unprintable, ' ').trim().slice(0, longestValue)

/** The same inside HTML text or a quoted attribute. */
export const htmlValue = (text: string): string => escapeHtml(plain(text))
