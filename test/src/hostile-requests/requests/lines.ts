import fc from 'fast-check'
import type { Account } from '../request.js'

/** What ends a line, blank lines among it. */
const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\r\n')

const badLines = fc.constantFrom(
  '{',
  'null',
  '[]',
  '{"a":1}',
  '\uFEFF{}',
  '\u0000',
  '{"import_supplier":"\\ud800"}',
  '['.repeat(40),
  '"x"',
  '1e999',
  'x'.repeat(10_000),
)

type Lines = Readonly<{ bytes: Uint8Array; lineCount: number }>

/** Lines of JSON values and of other things; the last one may have no end. */
export const linesOf = (
  values: fc.Arbitrary<(account: Account) => unknown>,
): fc.Arbitrary<(account: Account) => Lines> => {
  const good = values.map((value) => (account: Account) => JSON.stringify(value(account)) ?? 'null')
  const line = fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 1, arbitrary: badLines.map((text) => () => text) },
  )
  return fc
    .tuple(fc.array(fc.tuple(line, ends), { maxLength: 6 }), fc.boolean())
    .map(([lines, isEnded]) => (account) => {
      const text = lines.map(([textOf, end]) => textOf(account) + end).join('')
      return { bytes: Buffer.from(isEnded ? text : text.trimEnd(), 'utf8'), lineCount: lines.length }
    })
}
