import { escapeHtml } from './safe-for-mail.js'

/** Text that is HTML already, and is put into a page without being escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template; of texts and numbers the text is escaped. */
export type HtmlPart = string | number | Html | readonly Html[]

const textOf = (part: HtmlPart): string => {
  if (part instanceof Html) return part.text
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeHtml(String(part))
}

/** A template of HTML: what is put into it is escaped, between tags or in a quoted attribute, unless it is `Html`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(texts.map((text, at) => text + textOf(parts[at] ?? '')).join(''))

/** No HTML at all. */
export const noHtml = new Html('')
