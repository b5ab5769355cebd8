import { notAcceptable, textCodec } from './text-codec.js'

/** What a browser sends as `Origin`: scheme and host, the port where it is not that of the scheme, nothing after it. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.origin === text
}

/** Origins with commas between them; empty: none. */
export const origins = textCodec<readonly string[]>('origins', (text) => {
  const all = text === '' ? [] : text.split(',').map((each) => each.trim())
  return all.every(isOrigin)
    ? [...new Set(all)]
    : notAcceptable(
        'must be origins such as https://app.example, with commas between them, in lower case and without a path',
      )
})
