import {
  agreement,
  documents,
  freely,
  inCustomers,
  inPoints,
  ledgers,
  lineItem,
  list,
  lists,
  point,
  reading,
  shuffled,
  supply,
  transaction,
} from './make.js'

const long = 5_240_000

const phones = (mobile: (index: number) => string, landline = mobile): object => ({
  customers: list((index) => ({
    family_name: 'N',
    mobile: mobile(2 * index),
    landline: landline(2 * index + 1),
  })),
})

const emails = (email: (index: number) => string): object => ({
  customers: list((index) => ({ family_name: 'N', email: email(index) })),
})

const details = (value: (index: number) => string): object =>
  inCustomers('user_details', (index) => ({ namespace: 'fiscal_code', value: value(index) }), {
    family_name: 'N',
  })

const identifiers = (identifier: (index: number) => string): object =>
  supply(list((index) => point(0, { identifier: identifier(index), distributor_ree_code: '٣'.repeat(8) })))

const tariffs = (value: string): object =>
  inPoints('atr_tariffs', () => ({ value, valid_from: '2020-01-01' }))

const amounts = (amount: unknown): object => ledgers(lists((index) => transaction(index, { amount })))

const units = (unit: unknown): object => {
  const items = lists(() => unit).map((each) => [lineItem({ units: each })])
  return ledgers([items.map((line_items, index) => transaction(index, { line_items }))])
}

/** Texts made for code that reads them character by character. */
export const texts: Readonly<Record<string, () => object>> = {
  'one long text': () => ({ billing_name: 'x'.repeat(long) }),
  'one long text of pairs': () => ({ billing_name: '😀'.repeat(long / 4) }),
  'one long blank': () => ({ sales_channel: ' '.repeat(long) }),
  'one long decimal': () => ledgers([[transaction(0, { amount: '9'.repeat(long) })]]),
  'one long path of escapes': () => ({ statements: [{ statement_path: '%25'.repeat(long / 3) }] }),
  'one long phone number': () => ({ customers: [{ mobile: '1'.repeat(long) }] }),
  'one long e-mail address': () => ({ customers: [{ email: 'a@' + 'a.'.repeat(long / 2) }] }),
  'texts with a half of a pair at the end': () => ({
    notes: list(() => ({ body: `${'é'.repeat(240)}\ud800` })),
  }),
  'notes of blanks': () => ({ notes: list(() => ({ body: '\u3000'.repeat(160) })) }),
  'texts of almost 64 KiB': () => ({ notes: list(() => ({ body: '€'.repeat(21_845) })) }),
  'dates that have another form': () =>
    ledgers(lists(() => transaction(0, { transaction_date: '2025-01-01T00:00:00Z' }))),
  'dates of blanks': () => ledgers(lists(() => ({ transaction_date: '\u2003'.repeat(20) }))),
  'choices of blanks': () => ledgers(lists(() => ({ type: '\u2003'.repeat(20) }))),
  'decimals of 64 digits': () => amounts('9'.repeat(64)),
  'decimals of 128 characters': () => amounts('\u{1d7d7}'.repeat(64)),
  'decimals with an exponent': () => amounts('1e-9999999'),
  'numbers with an exponent': () => amounts(1.797_693_134_862_315_7e308),
  'numbers of 17 digits': () => amounts(0.123_456_789_012_345_68),
  'numbers next to nothing': () => amounts(5e-324),
  'lists of numbers of 17 digits': () => units(0.123_456_789_012_345_68),
  'lists of short fractions': () => units(0.1),
  'lists of short decimal texts': () => units('0.1'),
  'lists of wrong numbers': () => units(1e-7),
  'free numbers of 17 digits': () => freely(() => 0.123_456_789_012_345_68),
  'free fractions': () => freely(() => 1.5),
  'free numbers with an exponent': () => freely(() => 1e-7),
  'free texts': () => freely(() => 'x'),
  'free texts of white space': () => freely(() => '\n'),
  'consumption of many digits': () =>
    inPoints('readings', () => reading({ consumption_delta: `-0.${'0'.repeat(62)}` })),
  'annual consumption that is no number': () =>
    inPoints('agreements', () =>
      agreement({ annual_consumption: '9'.repeat(31) + 'x', cnae: '٣'.repeat(16) }),
    ),
  'phone numbers of brackets': () =>
    phones(
      () => `${'1-'.repeat(15)}x`,
      () => `+1 ${'('.repeat(29)}`,
    ),
  'phone numbers of many digits': () => phones((index) => `+1${'2'.repeat(20)}${index}`),
  'phone numbers that are nearly right': () =>
    phones(
      (index) => `+5${String(1e10 + index * 7919)}`,
      (index) => `+44 20 ${index}`,
    ),
  'phone numbers only the library can validate': () =>
    phones(
      (index) => `96 000 0${index}`,
      (index) => `+44 7700 9${index}`,
    ),
  'phone numbers of North America': () => phones((index) => `+1 201-555-${String(index).padStart(4, '0')}`),
  'phone numbers of North America in brackets': () =>
    phones((index) => `+1 (${212 + (index % 600)}) ${String(2_000_000 + index)}`),
  'phone numbers of the United Kingdom': () => phones((index) => `+44 (0) 7911 ${String(100_000 + index)}`),
  'phone numbers of Italy': () => phones((index) => `+39 06 ${String(10_000_000 + index)}`),
  'phone numbers of Germany': () => phones((index) => `+49 (0)151 ${String(10_000_000 + index)}`),
  'phone numbers of Argentina': () => phones((index) => `+54 9 343 ${String(4_000_000 + index)}`),
  'phone numbers of Mexico': () => phones((index) => `+52 1 33 ${String(10_000_000 + index)}`),
  'phone numbers of Russia and Kazakhstan': () => phones((index) => `+7 (701) ${String(1_000_000 + index)}`),
  'phone numbers with extensions': () => phones((index) => `+34 600 000 000 ext. ${index}`),
  'phone numbers as URIs': () => phones((index) => `tel:+34-600${String(100_000 + index)};isub=1`),
  'phone numbers with a context': () => phones((index) => `tel:${index};phone-context=+34`),
  'phone numbers in Arabic digits': () => phones(() => '٦٠٠٠٠٠١٢٣ ٦٠٠٠٠٠١٢'),
  'phone numbers in full-width digits': () =>
    phones((index) =>
      `600${100_000 + index}`.replace(/\d/g, (digit) => String.fromCharCode(0xfee0 + digit.charCodeAt(0))),
    ),
  'phone numbers dialled abroad': () => phones((index) => `0044 20 7${String(1_000_000 + index)}`),
  'phone numbers of every country code': () =>
    phones((index) => `+${1 + (shuffled(index) % 998)}${String(100_000_000 + index * 7919)}`),
  'e-mail addresses of many labels': () => emails(() => `a@${'é-é.'.repeat(60)}11`),
  'e-mail addresses of short labels': () => emails(() => `a@${'a.'.repeat(120)}1`),
  'e-mail addresses of hyphens': () => emails(() => `a@${`a${'-'.repeat(61)}.`.repeat(3)}com`),
  'e-mail addresses of one long label': () => emails(() => `a@${'é-'.repeat(120)}`),
  'e-mail addresses of at signs': () => emails(() => '@'.repeat(254)),
  'e-mail addresses that are right': () => emails(() => `${'a.'.repeat(31)}a@${'é.'.repeat(90)}es`),
  'fiscal codes of blanks and hyphens': () => details(() => `X${' -.'.repeat(330)}`),
  'fiscal codes of short blanks': () => details((index) => `${index} `),
  'fiscal codes of lower case': () => details((index) => `a-${String(index).padStart(7, '0')}`),
  'fiscal codes of mixed letters': () => details(() => 'aÉ'.repeat(500)),
  'identifiers of hyphens': () => identifiers((index) => `${'- '.repeat(28)}${index}`),
  'identifiers of letters that grow': () => identifiers(() => 'ß'.repeat(64)),
  'identifiers with a wrong check': () =>
    identifiers((index) => `es ${String(1e15 + index).padStart(16, '0')} aa 1 f`),
  'access tariffs of blanks': () => tariffs(`R${' '.repeat(60)}L`),
  'access tariffs of single blanks': () => tariffs('r '.repeat(32)),
  'short access tariffs': () => tariffs('r'),
  'escaped document paths': () => documents(() => '%2525'.repeat(200)),
  'document paths of single escapes': () => documents(() => '%2541'),
  'document paths of broken UTF-8': () => documents(() => '%c3a'.repeat(256)),
  'document paths of short broken UTF-8': () => documents(() => '%c3a'),
  'document paths of escapes that are none': () => documents(() => '%2'.repeat(512)),
  'document paths of twice escaped UTF-8': () => documents(() => '%25c3%25a9'.repeat(102)),
  'document paths that grow when normalised': () => documents(() => 'ﷺ'.repeat(1024)),
  'document paths that grow in each reading': () => documents(() => `${'ﷺ'.repeat(1014)}%252541.pdf`),
  'escaped document paths that grow': () => documents(() => '%EF%B7%BA'.repeat(113)),
  'short document paths that grow': () => documents(() => 'ﷺ'),
  'document paths of marks': () => documents(() => 'a' + '\u0301\u0323'.repeat(500)),
  'document paths of dots': () => documents(() => '.../'.repeat(255) + 'a'),
  'document paths of other dots': () => documents(() => '․/'.repeat(500) + '%41'),
  'document paths of slashes': () => documents(() => 'a' + '/'.repeat(1022)),
  'document paths of colons': () => documents(() => 'é' + ':/'.repeat(511)),
  'short document paths': () => documents(() => 'é'),
}
