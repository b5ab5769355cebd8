const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it is written in HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

/** A value that may stand in an e-mail: nothing that its reader could follow or take for words of the sender. */
export type SafeForMail = string & { readonly SafeForMail: unique symbol }

/** Letters, digits, and what stands between them in names, codes and dates; nothing that a scheme, an address or a line needs. */
const form = /^[\p{L}\p{M}\p{N} .,،'’·()_/-]{1,40}$/u

/**
 * Text that mail programs make a link of, within the form: an address of the web or of a machine. One letter before the dot is an
 * initial (`J.Smith`, `M.Carmen`), unless a path follows, or an ending that no name has.
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
 * The value as an e-mail may hold it; undefined where it is to be left out: it is blank, holds a link or a line break, has more
 * than 40 characters or one that names, codes and dates do not need. Customers and suppliers choose these values, and the
 * operator's e-mails must not carry anybody's message. Full-width characters, which are shown as plain ones, count as those.
 */
export const safeForMail = (value: string): SafeForMail | undefined => {
  const shown = value.normalize('NFKC')
  const safe = shown.trim() !== '' && form.test(shown) && !link.test(shown)
  return safe ? (value as SafeForMail) : undefined
}

/** Text that is HTML already, and is put into a page without being escaped. */
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

/** A template of HTML: what is put into it is escaped, between tags or in a quoted attribute, unless it is `Html`. */
export const html = (
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Html | readonly Html[])[]
): Html => new Html(texts.map((text, at) => text + textOf(parts[at] ?? '')).join(''))

/** No HTML at all. */
export const noHtml = new Html('')
