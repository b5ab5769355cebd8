const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

/** A value that is safe in an e-mail: no link, and no text that its reader could take for a message of the sender. */
export type SafeForMail = string & { readonly SafeForMail: unique symbol }

/** Letters, digits and separators of names, codes and dates; no characters of schemes, e-mail addresses and line breaks. */
const form = /^[\p{L}\p{M}\p{N} .,،'’·()_/-]{1,40}$/u

/**
 * Text of this form that mail programs turn into a link: a web address or an IP address. One letter before the dot is an initial
 * (`J.Smith`, `M.Carmen`), unless a path or a top-level domain that is no name follows.
 */
const link = new RegExp(
  [
    String.raw`www\.`,
    String.raw`[\p{L}\p{M}\p{N}_-]{2,}\.\p{L}[\p{L}\p{M}]`,
    String.raw`[\p{L}\p{N}]\.\p{L}[\p{L}\p{M}\p{N}-]*\/`,
    String.raw`[\p{L}\p{N}]\.(?:app|biz|co|com|dev|info|io|me|net|org|xyz)(?![\p{L}\p{N}])`,
    String.raw`(?:\d{1,3}\.){3}\d`,
  ].join('|'),
  'iu',
)

/**
 * The value, if it is safe in an e-mail; undefined if it is blank, contains a link or a line break, has more than 40 characters
 * or characters that names, codes and dates do not need. Customers and suppliers choose these values, and the operator's e-mails
 * must not contain their messages. Full-width characters are checked as the plain ones that they resemble.
 */
export const safeForMail = (value: string): SafeForMail | undefined => {
  const shown = value.normalize('NFKC')
  const safe = shown.trim() !== '' && form.test(shown) && !link.test(shown)
  return safe ? (value as SafeForMail) : undefined
}

/** Text that is HTML already, and is not escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const textOf = (part: string | number | Html | readonly Html[]): string => {
  if (part instanceof Html) return part.text
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeHtml(String(part))
}

/** A template of HTML: escapes its values, between tags or in a quoted attribute, unless they are `Html`. */
export const html = (
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(texts.map((text, at) => text + textOf(parts[at] ?? '')).join(''))

/** Empty HTML. */
export const noHtml = new Html('')
