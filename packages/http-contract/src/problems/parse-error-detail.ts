import { detailOf } from '@account-import/core'
import type { TextPosition } from './text-position.js'

const placeOf = ({ line, column }: TextPosition): string =>
  line === undefined ? `column ${column}` : `line ${line}, column ${column}`

/** The text of `parse_error`, with the place where the text is no JSON any more. */
export const parseErrorDetail = (at: TextPosition | undefined): string => {
  if (at?.isRepeatedKey === true)
    return `The body has a key twice in one object at ${placeOf(at)}. Name each key once.`
  const detail = detailOf('parse_error')
  return at === undefined ? detail : detail.replace(/\.$/, ` at ${placeOf(at)}.`)
}
