import { escapedHtml } from '@account-import/http-contract'

/** HTML that is safe to put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return escapedHtml(String(part))
}

/** A template whose parts are escaped, unless they are HTML already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + (at < parts.length ? textOf(parts[at] ?? '') : '')).join(''))

/** Nothing. */
export const none = new Html('')
