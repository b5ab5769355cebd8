import test from 'ava'
import { maskCardNumbers } from '@account-import/core/testing'
import { fc, runs, seed } from '../support/properties.js'

const digits = (length: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((number) => String(number).padStart(length, '0'))

/** A text with the groups of these lengths, and the separator between them. */
const grouped = (text: string, lengths: readonly number[], separator: string): string => {
  const groups: string[] = []
  let at = 0
  for (const length of [...lengths, text.length]) {
    if (at < text.length) groups.push(text.slice(at, at + length))
    at += length
  }
  return groups.join(separator)
}

const text = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''))

const oneOf = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

const phoneOf = (first: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      oneOf('', '', '+34 ', '+34', '0034 '),
      oneOf(...Array.from(first)),
      digits(8),
      fc.constantFrom([9], [3, 3], [3, 2, 2], [2, 3, 2]),
    )
    .map(([country, begin, rest, lengths]) => country + grouped(begin + rest, lengths, ' '))

const mobile = phoneOf('67')
const landline = phoneOf('89')

const dayOf = fc
  .date({ min: new Date('2005-01-01'), max: new Date('2025-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const spanishDay = fc
  .tuple(dayOf, oneOf('/', '-', '.'))
  .map(([day, separator]) => day.split('-').toReversed().join(separator))
const reading = fc.integer({ min: 0, max: 99_999 }).map(String)

const mod97 = (iban: string): number =>
  Array.from(iban, (each) => String(parseInt(each, 36)))
    .join('')
    .split('')
    .reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)

const ibanOf = (country: string, length: number): fc.Arbitrary<string> =>
  fc.tuple(digits(9), digits(9), digits(9)).map((parts) => {
    const account = parts.join('').slice(0, length)
    const check = String(98 - mod97(`${account}${country}00`)).padStart(2, '0')
    return grouped(`${country}${check}${account}`, [4, 4, 4, 4, 4, 4, 4], ' ')
  })

const values = (length: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.integer({ min: 10 ** (length - 1), max: 10 ** length - 1 }), { minLength: 3, maxLength: 12 })

/** Readings that grow by at most 300 from month to month. */
const growing = fc
  .tuple(
    fc.integer({ min: 1000, max: 90_000 }),
    fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 12 }),
  )
  .map(([start, steps]) => steps.reduce((all, step) => [...all, (all.at(-1) ?? 0) + step], [start]))

const listed = (
  items: fc.Arbitrary<readonly number[]>,
  ...separators: readonly string[]
): fc.Arbitrary<string> =>
  fc.tuple(items, oneOf(...separators)).map(([all, separator]) => all.join(separator))

const alphabet = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The check letters of the 16 digits of a CUPS. */
const cupsLetters = (number: string): string => {
  const rest = Number(BigInt(number) % 529n)
  return alphabet.charAt(Math.floor(rest / 23)) + alphabet.charAt(rest % 23)
}

/** Notes with numbers that are none of a card. */
const otherNotes: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'two mobile numbers': text('Tel. ', mobile, oneOf(' / ', ', ', ' y ', ' - ', ' ', '/'), mobile),
  'a mobile number and a landline on two lines': text('Móvil ', mobile, oneOf('\n', '\r\n', ' / '), landline),
  'a CUPS with blanks': fc
    .tuple(oneOf('002', '003', '022', '039', '411', '555'), digits(9), digits(4), oneOf('', ' 0F', ' 1P'))
    .map(([distributor, number, rest, suffix]) => {
      const all = `${distributor}${number}${rest}`
      return `CUPS ES ${grouped(all, [4, 4, 4], ' ')} ${cupsLetters(all)}${suffix} de alta`
    }),
  'a Spanish account number': text('Domiciliar en ', ibanOf('ES', 20)),
  'a Spanish account number with other check digits': text(
    'Cuenta ES',
    digits(2),
    ' ',
    ...[1, 2, 3, 4, 5].flatMap(() => [digits(4), ' ']),
  ),
  'an account number of another country': fc
    .oneof(ibanOf('DE', 18), ibanOf('PT', 21), ibanOf('DK', 14), ibanOf('BE', 12))
    .map((iban) => `Devolver a ${iban}, gracias`),
  'days with readings': text(
    'Lectura ',
    spanishDay,
    ' ',
    reading,
    ', ',
    spanishDay,
    oneOf(' ', ': '),
    reading,
    ' y ',
    dayOf,
    ' ',
    reading,
  ),
  'growing readings': text(
    oneOf('Lecturas: ', 'Registra ', ''),
    listed(growing, ' ', ', ', '; ', ' - ', '\n'),
  ),
  'consumptions of four digits': text(
    'Consumos ',
    listed(values(4), ', ', '; ', '/', '\n', ' '),
    oneOf('', ' kWh'),
  ),
  'numbers of requests and contracts': text(
    oneOf('Solicitud ', 'Contrato nº ', 'Expediente: '),
    digits(12),
    oneOf(' 01', ' 02', ''),
  ),
  'long numbers of contracts': text(oneOf('Solicitud ', 'Contrato nº ', 'contrato: ', 'Póliza '), digits(16)),
  'numbers of invoices': text(
    oneOf('Factura ', 'Factura nº ', 'fra. FE'),
    oneOf('2025', '2024-'),
    digits(8),
    ' de ',
    spanishDay,
  ),
  'a meter number with a day and a reading': text('Contador ', digits(10), ' ', spanishDay, ' ', reading),
  'an international number': fc.tuple(digits(8)).map(([rest]) => `Llamar al +4915${rest.slice(0, 1)}${rest}`),
}

const schemes: readonly (readonly [begin: string, groups: readonly number[]])[] = [
  ['4', [4, 4, 4, 4]],
  ['5412', [4, 4, 4, 4]],
  ['2345', [4, 4, 4, 4]],
  ['37', [4, 6, 5]],
  ['34', [4, 6, 5]],
  ['36', [4, 6, 4]],
  ['3530', [4, 4, 4, 4]],
  ['6011', [4, 4, 4, 4]],
  ['6212', [4, 4, 4, 4, 3]],
  ['6759', [4, 4, 4, 4]],
]

const luhnDigit = (number: string): string => {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, nth) => {
      const value = Number(digit) * (nth % 2 === 0 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** A card as people write it with text around it, and the same with all but its last four digits masked. */
const cardNotes: fc.Arbitrary<readonly [sent: string, kept: string]> = fc
  .tuple(
    fc.constantFrom(...schemes),
    digits(9),
    digits(9),
    oneOf('', ' ', '-', '.', ' - ', '\u00a0'),
    oneOf('', 'Paga con ', 'Visa', 'tel. 619 585 069 ', '05/10/2025 ', 'ES91 2100 0418 4502 0005 1332; '),
    oneOf('', ', gracias', ' 12/28 123', ' 1228', ' titular Ana'),
  )
  .map(([[begin, groups], one, other, separator, before, after]) => {
    const length = groups.reduce((sum, each) => sum + each, 0)
    const number = `${begin}${one}${other}`.slice(0, length - 1)
    const written = (shown: string): string => before + grouped(shown, groups, separator) + after
    const card = number + luhnDigit(number)
    return [written(card), written(card.slice(-4).padStart(length, '•'))]
  })

const sampleOf = <A>(values: fc.Arbitrary<A>): readonly A[] =>
  fc.sample(values, { numRuns: runs(1000), seed })

for (const [kind, notes] of Object.entries(otherNotes))
  test(`a note with ${kind} is kept as it is`, (t) => {
    const sample = sampleOf(notes)
    const masked = sample.filter((note) => maskCardNumbers(note) !== note)
    t.true(masked.length <= sample.length / 1000, `${masked.length} of ${sample.length}: ${masked[0] ?? ''}`)
  })

test('a card of any scheme is masked in all usual groups, beside other numbers', (t) => {
  const sample = sampleOf(cardNotes)
  const other = sample.filter(([sent, kept]) => maskCardNumbers(sent) !== kept)
  t.true(other.length <= sample.length / 1000, `${other.length} of ${sample.length}: ${other[0]?.[0] ?? ''}`)
})
