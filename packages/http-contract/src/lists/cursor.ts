import { externalAccountNumber } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

/** First character of the text inside, so that a later form of cursor can be told from this one. */
const form = '1'
const alphabet = /^[A-Za-z0-9_-]+$/

const write = (number: string): string => Buffer.from(form + number, 'utf8').toString('base64url')

const read = (text: string): string | undefined => {
  if (!alphabet.test(text)) return undefined
  const inside = Buffer.from(text, 'base64url').toString('utf8')
  const number = inside.slice(form.length)
  // Writing it again must give the same text: this refuses broken UTF-8 and stray bits at the end.
  const genuine = inside.startsWith(form) && externalAccountNumber.is(number) && write(number) === text
  return genuine ? number : undefined
}

class CursorType extends t.Type<string, string, unknown> {
  readonly form = 'a cursor as the Link header of the page before has it, or leave it out'

  constructor() {
    super(
      'Cursor',
      (value): value is string => typeof value === 'string',
      (value, context) => {
        const number = typeof value === 'string' ? read(value) : undefined
        return number === undefined ? t.failure(value, context, 'invalid') : t.success(number)
      },
      write,
    )
  }
}

/**
 * The place in a list where a page ends: the external account number of its last item, opaque to clients.
 * Anything that this service did not hand out as a cursor fails with `invalid` in the message slot.
 */
export const cursor = new CursorType()
