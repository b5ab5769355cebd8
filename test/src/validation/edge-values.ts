const words = (text: string): readonly string[] => text.split(' ')

const days: readonly unknown[] = [
  words('1899-12-31 1900-01-01 1900-02-29 2000-02-29 2023-02-29 2024-02-29 9999-12-31 2024-04-31 2024-06-30'),
  words('2024-08-31 2024-07-31 2024-09-31 2024-00-10 2024-13-10 2024-01-00 2024-01-32 2024/01/01 ٢٠24-01-01'),
  words('2024-1-011 2024-01-01T23:59:59Z 2024-01-01T24:00:00Z 2024-01-01T10:60:00Z 2024-01-01T10:00:60Z'),
  words('2024-02-30T10:00:00Z 2024-02-29T10:00:00Z 2024-01-01t10:00:00Z 2024-01-01T10:00:00z'),
  ['2024-01-01 ', 20240101],
].flat()

const numbers: readonly unknown[] = [
  words('12.50 12.500 12.501 -0 -0.00 .5 5. 00 01 0.1 1234567890 12345678901 1e3 +1 - ٣'),
  [`0.${'0'.repeat(62)}`, `0.${'0'.repeat(63)}`, ' 1', '1 ', '9'.repeat(65)],
  [0, -0, 1e-7, 0.1 + 0.2, 12.5, 9_999_999_999.99, 1e10, 1e15, 999_999_999_999_999, 1e21, -1, 1.5, 31, 32],
  [Number.NaN, Number.POSITIVE_INFINITY],
].flat()

const texts: readonly unknown[] = [
  words(
    'abcd abcde 😀😀😀😀 😀😀😀😀😀 \ud800 a\ud800 a\u0000 \u00a0 \u2028x ñ a\tb a\u007f a\u0080 ñandu \u001f a\n',
  ),
  words('REGULAR ES GAS SUPPLY_CHARGE MONTHLY'),
  ['', ' ', ' a', 'a b'],
  ['x'.repeat(65_536), 'x'.repeat(65_537), 'ñ'.repeat(40_000), '€'.repeat(21_845), '€'.repeat(21_846)],
].flat()

const addresses: readonly unknown[] = [
  words('ana@example.org test@example.org ana@test.com ana@test.co.uk xxx@a.es a@b.test a@b Ana@Example.org'),
  words('TEST@example.org a..b@c.es a@-b.es a@b-.es a@b.c a@1.23 a@localhost a@x.localhost ana@ñandú.es'),
  [`a@${'b'.repeat(64)}.es`, `${'a'.repeat(64)}@b.es`, `${'a'.repeat(65)}@b.es`],
  words('608000529 +34608000529 937000499 +34937000499 34608000529 +351912345678 +14155550123 1 12 +1 + 6'),
  words('0034608000529 608-000-529 608--000 112 +3411 tel:608000529 ６０８０００５２９'),
  [`${'6'.repeat(33)}`, '+34\u0000608000529', '+34 608 00 05 29', '608000529 ext 3', ' 608000529', 608000529],
].flat()

const paths: readonly unknown[] = [
  words('a/b.pdf a//b /a a/ a/../b .. a/.b a/./b c:x a%2e%2e/b ａ/b http://a a\\b . %252e%252e/x'),
  ['a b/c', 'a/b\n', ' a', 'a ', 'x'.repeat(1024), 'x'.repeat(1025)],
].flat()

const containers: readonly unknown[] = [
  [{}, [], { a: 1 }, { a: 1e21 }, { a: 0.1 + 0.2 }, { a: '\u0000' }, { a: [1, '\ud800'] }],
  [{ a: { b: { c: {} } } }],
  [{ a: [1, 'x', null, [2, { b: true }]] }, { a: [undefined] }, { a: [[[[[1]]]]] }, { a: 1e-6, b: 1e-7 }],
  [{ a: Number.NaN }, { a: undefined }, { a: () => 1 }, { a: Array.from({ length: 10_001 }, () => 0) }],
  [new Date(0), new Map(), Object.create({ a: 1 }) as object, [null], [[]], [{}], ['x'], [1, 2, 3, 4, 5, 6]],
].flat()

/** Values at the limits of the kinds of values, and values of the wrong kind. */
export const edgeValues: readonly unknown[] = [
  [null, true, false],
  days,
  numbers,
  texts,
  addresses,
  paths,
  containers,
].flat()
