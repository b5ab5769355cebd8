import { date, type Reader } from '@account-import/core/adapter-kit'
import {
  datetime,
  documentPath,
  email,
  freeObject,
  key,
  money,
  phone,
  term,
} from '@account-import/core/testing'

const words = (text: string): readonly string[] => text.split(' ')

/** Kinds of values, with those at their limits. */
export const edges: readonly (readonly [Reader<unknown>, readonly unknown[]])[] = [
  [date, ['1899-12-31', '1900-01-01', '1900-02-29', '2000-02-29', '2023-02-29', '2024-02-29', '9999-12-31']],
  [date, ['2024-04-31', '2024-06-30', '2024-08-31', '2024-07-31', '2024-09-31', '2024-00-10', '2024-13-10']],
  [
    date,
    ['2024-01-00', '2024-01-32', '2024/01/01', '٢٠24-01-01', '2024-1-011', '2024-01-01 ', '', null, 20240101],
  ],
  [
    datetime,
    ['2024-01-01T23:59:59Z', '2024-01-01T24:00:00Z', '2024-01-01T10:60:00Z', '2024-01-01T10:00:60Z'],
  ],
  [
    datetime,
    ['2024-02-30T10:00:00Z', '2024-02-29T10:00:00Z', '2024-01-01t10:00:00Z', '2024-01-01T10:00:00z'],
  ],
  [
    money,
    ['12.50', '12.500', '12.501', '-0', '-0.00', '.5', '5.', '00', '01', '0.1', '1234567890', '12345678901'],
  ],
  [
    money,
    [0, -0, 1e-7, 0.1 + 0.2, 12.5, 9_999_999_999.99, 1e10, '1e3', '+1', '-', '', ' 1', '1 ', Number.NaN],
  ],
  [money, [`0.${'0'.repeat(62)}`, `0.${'0'.repeat(63)}`, '٣', {}, [], true]],
  [
    term(4),
    [
      'abcd',
      'abcde',
      '😀😀😀😀',
      '😀😀😀😀😀',
      '\ud800',
      'a\ud800',
      'a\u0000',
      ' a',
      '\u00a0',
      '\u2028x',
      'ñ',
      '',
    ],
  ],
  [key(4), ['abcd', 'a b', ' ab', 'a\tb', 'a\u007f', 'a\u0080', 'ñandu', 'ñ', '\u001f', 'a\n']],
  [
    term(65_536),
    ['x'.repeat(65_536), 'x'.repeat(65_537), 'ñ'.repeat(40_000), '€'.repeat(21_845), '€'.repeat(21_846)],
  ],
  [
    email,
    ['ana@example.org', 'test@example.org', 'ana@test.com', 'ana@test.co.uk', 'xxx@a.es', 'a@b.test', 'a@b'],
  ],
  [
    email,
    ['Ana@Example.org', 'TEST@example.org', 'a..b@c.es', 'a@-b.es', 'a@b-.es', `a@${'b'.repeat(64)}.es`],
  ],
  [
    email,
    [`${'a'.repeat(64)}@b.es`, `${'a'.repeat(65)}@b.es`, 'a@b.c', 'a@1.23', 'a@localhost', 'a@x.localhost'],
  ],
  ...(['mobile', 'landline'] as const).map(
    (kind) =>
      [
        phone(kind),
        [
          ...words('608000529 +34608000529 937000499 +34937000499 34608000529 +351912345678 +14155550123'),
          ...words(
            '1 12 +1 + 6 0034608000529 608-000-529 608--000 112 +3411 tel:608000529 ６０８０００５２９',
          ),
          ...words(`${'6'.repeat(33)} +34\u0000608000529`),
          '+34 608 00 05 29',
          '608000529 ext 3',
          ' 608000529',
          '608000529 ',
          '',
          608000529,
          null,
        ],
      ] as const,
  ),
  [
    documentPath,
    ['a/b.pdf', 'a//b', '/a', 'a/', 'a/../b', '..', 'a/.b', 'a/./b', 'c:x', 'a b/c', 'a%2e%2e/b', 'ａ/b'],
  ],
  [documentPath, ['http://a', 'a\\b', 'a/b\n', ' a', 'a ', '.', 'x'.repeat(1024), 'x'.repeat(1025)]],
  [
    freeObject,
    [
      {},
      { a: 1 },
      { a: 1e21 },
      { a: 0.1 + 0.2 },
      { a: '\u0000' },
      { a: [1, '\ud800'] },
      { a: { b: { c: {} } } },
    ],
  ],
  [
    freeObject,
    [
      { a: [1, 'x', null, [2, { b: true }]] },
      { a: [undefined] },
      { a: [[[[[1]]]]] },
      { a: Array.from({ length: 10_001 }, () => 0) },
      { a: 0.5, b: 53.3, c: -12.25, d: -0 },
      { a: 1e-6, b: 1e-7 },
      { a: 123_456_789.123_456 },
      { a: 1_234_567_890.123_456 },
      { a: 1e15, b: 999_999_999_999_999 },
      { a: Number.NaN },
      { a: Number.POSITIVE_INFINITY },
    ],
  ],
  [freeObject, [{ a: undefined }, { a: () => 1 }, [], null, new Date(0), new Map(), Object.create({ a: 1 })]],
]
