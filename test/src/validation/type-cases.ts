import { date, MAX_ITEMS, type Reader } from '@account-import/core/payloads'
import {
  boolean,
  choice,
  code,
  datetime,
  decimal,
  decimalText,
  documentPath,
  email,
  figure,
  integer,
  key,
  list,
  money,
  optional,
  price,
  quantity,
  struct,
  term,
  text,
} from '@account-import/core/testing'

type Refused = readonly [value: unknown, code: string]

/** Values that a codec accepts, and values that it refuses with the only code that they get. */
type TypeCase = readonly [codec: Reader<unknown>, accepted: readonly unknown[], refused: readonly Refused[]]

const words = (all: string): readonly string[] => all.split(' ')
const each = (fault: string, ...values: readonly unknown[]): readonly Refused[] =>
  values.map((value) => [value, fault])

const astral = '😀'
/** Values that no text type accepts. */
const notText = [...each('null', null), ...each('invalid', 1, true, ['a'], {})]
const notStorable = [
  ...each('null_characters_not_allowed', 'a\0b', '\ud800\0'),
  ...each('surrogate_characters_not_allowed', 'a\ud800', '\udc00\ud800'),
]
const blanks = each('blank', '', ' ', '\t\n', '\u00a0\u3000\u2028\ufeff')
const unfit = [...notText, ...blanks, ...notStorable]
const longAddress = `a@${[60, 60, 60, 60, 20].map((length, at) => 'bcdef'.charAt(at).repeat(length)).join('.')}`

/** Texts, and values in texts. */
const textCases: Readonly<Record<string, TypeCase>> = {
  text: [
    text(5),
    ['', ' ', 'abcde', astral.repeat(5), '\u0001', '\u0085'],
    [...notText, ...notStorable, ...each('max_length', 'abcdef', `${astral.repeat(5)}a`)],
  ],
  'text of 64 KiB': [
    text(65_536),
    ['a'.repeat(65_536), 'é'.repeat(32_768), '€'.repeat(21_845), astral.repeat(16_384)],
    each(
      'max_length',
      'a'.repeat(65_537),
      `${'é'.repeat(32_768)}a`,
      `${'€'.repeat(21_845)}aa`,
      `${astral.repeat(16_384)}a`,
    ),
  ],
  term: [
    term(5),
    ['abcde', ' a ', '\u0001', '\u0085'],
    [...unfit, ['abcdef', 'max_length'], [' '.repeat(6), 'blank']],
  ],
  key: [
    key(5),
    ['abc', ' a ', 'Ａ', '\u0085', '\u0080'],
    [...unfit, ...each('invalid', 'a\u0001', 'a\u001f', 'a\u007f'), ['\tabcde', 'max_length']],
  ],
  code: [code(5, 'reason'), ['X', 'a b'], [...unfit, ['abcdef', 'max_length']]],
  choice: [
    choice(['ONE', 'TWO']),
    ['ONE', 'TWO'],
    [...notText, ...blanks, ...each('invalid_choice', 'one', 'ONE ', '\0')],
  ],
  email: [
    email,
    [
      ...words("a.b+c@example.com ana@correo.españa.es o'hara@x-y.example.org a@b.cc1"),
      `${'a'.repeat(64)}@example.com`,
    ],
    [
      ...unfit,
      [longAddress, 'max_length'],
      ...each(
        'invalid',
        ...words('a..b@example.com .a@example.com a.@example.com a@b @example.com a@ a a@-x.com a@x-.com'),
        ...words('ana@1.2.3.4 ana@[1.2.3.4] "q"@example.com é@example.com a@example.c a@example..com'),
        ...words('a@example.com. a@ex_ample.com'),
        ...'a b@example.com|a@exam ple.com'.split('|'),
        `${'a'.repeat(65)}@example.com`,
        `a@${'b'.repeat(64)}.com`,
      ),
    ],
  ],
  'document path': [
    documentPath,
    words('statements/2025/01.pdf bill:01.pdf a/..b/c.. ... a%20b a%2Fb %zz año/€.pdf 100%'),
    [
      ...unfit,
      ['a'.repeat(1025), 'max_length'],
      ...each(
        'document_path_outside_root',
        ...words('/etc/x ../x a/../b a/.. .. ..%2fx %2e%2e/x %252e%252e/x %25%32%65./x C:\\x c:x s3://b/x'),
        ...words('s3%3A%2F%2Fb/x \\x a\\..\\b %5cx %2Fetc \uff0e\uff0e/x %EF%BC%8E%EF%BC%8E/x \u2025/x'),
        '\uff0fetc',
      ),
      ...each('invalid', ...words('a//b a/./b ./a a/. a/ a\\b a%5Cb a%00b a%2500b a\u0001 a%7f .')),
    ],
  ],
}

/** Numbers, days and truth values. */
const valueCases: Readonly<Record<string, TypeCase>> = {
  boolean: [boolean, [true, false], [...each('null', null), ...each('invalid', 'true', 0, 1)]],
  integer: [
    integer(0, 9_999_999_999),
    [0, -0, 1, 9_999_999_999, 1e3],
    [
      ...each('null', null),
      ...each('invalid', '1', 1.5, NaN, Infinity, 1e21),
      [-1, 'min_value'],
      [10_000_000_000, 'max_value'],
    ],
  ],
  date: [
    date,
    words('2024-02-29 1900-01-01 9999-12-31 2000-02-29 2025-04-30'),
    [
      ...notText,
      ...blanks,
      ['2024-01-01T00:00:00Z', 'datetime'],
      ...each(
        'invalid',
        ...words('2023-02-29 1900-02-29 2025-04-31 2024-1-1 0000-00-00 2024-13-01 2024-01-00 2024/01/01'),
        ...' 2024-01-01|２024-01-01|2024-01-01T00:00:00+01:00|10000-01-01'.split('|'),
      ),
      ...each('min_value', '1899-12-31', '0000-01-01'),
    ],
  ],
  datetime: [
    datetime,
    words('2024-02-29T23:59:59Z 1900-01-01T00:00:00Z 9999-12-31T23:59:59Z'),
    [
      ...notText,
      ...blanks,
      ['2024-02-29', 'date'],
      ...each(
        'invalid',
        ...words('2024-02-29T24:00:00Z 2024-02-29T23:60:00Z 2024-02-29T23:59:60Z 2024-02-29T23:59:59+01:00'),
        ...words('2024-02-29T23:59:59.000Z 2024-02-29T23:59:59z 2023-02-29T00:00:00Z'),
        '2024-02-29 23:59:59Z',
      ),
      ['1899-12-31T23:59:59Z', 'min_value'],
    ],
  ],
  money: [
    money,
    [
      [10, -0.5, 1_234_567_890.12, 0, -0, 1.1, 0.07, 9_999_999_999.99, 1e3],
      words('12.30 12.300 1234567890.12 -0 0.00'),
    ].flat(),
    [
      ...each('null', null),
      ...each('invalid', true, [1], NaN, Infinity, 1e21, 1e-7),
      ...each('blank', '', ' '),
      ...each('invalid', ...words('1e3 +1 .5 5. 1,5 007 - --1 １ 0x1 1\0'), ' 1'),
      ...each('invalid', 'x'.repeat(63) + '\ud800', astral.repeat(33)),
      ...each('max_string_length', '1'.repeat(65), 'x'.repeat(65), astral.repeat(65)),
      ...each('max_string_length', 'x'.repeat(64) + '\u0000', 'x'.repeat(64) + '\ud800'),
      ...each('max_digits', 0.300_000_000_000_000_04, Number('9007199254740993'), 1e20),
      ...each('max_whole_digits', 12_345_678_901, '12345678901', -10_000_000_000),
      ...each('max_decimal_places', 12.345, '12.345', 0.000_001, 1_234_567_890.123),
    ],
  ],
  'figure, quantity and price have their own digits': [
    struct('all', { f: optional(figure), q: optional(quantity), p: optional(price) }),
    [
      { f: 1_234.000_000_000_1, q: 123_456_789_012, p: 12_345_678.123_456_7 },
      { f: '9999999999.9999999999', q: '999999999999.9999', p: '0.0000001' },
      { f: 0.000_001, q: -0.0001, p: 0.000_001 },
    ],
    [],
  ],
  'price below a millionth': [price, ['0.0000001'], [[0.000_000_1, 'invalid']]],
  'decimal with a floor': [
    decimal({ whole: 8, decimals: 2, floor: 0 }),
    [0, -0, '-0', '-0.00', 0.01, 99_999_999.99],
    [...each('min_value', -0.01, '-0.01', '-1'), ['-123456789', 'max_whole_digits']],
  ],
  'decimal text': [
    decimalText({ whole: 12, decimals: 6 }),
    words('412.000 -1.5 123456789012.123456 0.1234560'),
    [
      ...each('null', null),
      ...each('invalid', 412, '1e3'),
      ...each('blank', ''),
      ['1'.repeat(65), 'max_string_length'],
      ['1234567890123', 'max_whole_digits'],
      ['0.1234567', 'max_decimal_places'],
    ],
  ],
}

/** Objects and lists. */
const containerCases: Readonly<Record<string, TypeCase>> = {
  object: [
    struct('object', { a: optional(text(1)) }),
    [{}, { a: 'x' }, Object.create(null), { a: undefined }],
    [...each('null', null), ...each('not_a_dict', [], '{}', 1, new Date(0), new Map())],
  ],
  list: [
    list(text(1)),
    [[], ['a', 'b'], Array.from({ length: MAX_ITEMS }, () => 'a')],
    [
      ...each('null', null),
      ...each('not_a_list', {}, 'a', { 0: 'a', length: 1 }),
      [Array.from({ length: MAX_ITEMS + 1 }, () => null), 'max_length'],
    ],
  ],
}

export const typeCases = { ...textCases, ...valueCases, ...containerCases }
