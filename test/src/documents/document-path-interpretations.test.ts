import test from 'ava'
import { documentPathCode } from '@account-import/core/testing'
import { fc, runs } from '../support/properties.js'

/** The rule as docs/reference/types.md says it, simple and slow: every interpretation is decoded and normalised as a whole. */
const codeByTheBook = (path: string): string | undefined => {
  const once = decoded(path)
  const interpretations = [path, once, decoded(once)].map((interpretation) =>
    interpretation.normalize('NFKC'),
  )
  if (
    interpretations.some((interpretation) =>
      /^[/\\]|^\p{L}:|:\/\/|(?:^|[/\\])\.\.(?:$|[/\\])/u.test(interpretation),
    )
  )
    return 'document_path_outside_root'
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const isForbidden = interpretations.some((interpretation) => /[\u0000-\u001f\u007f\\]/.test(interpretation))
  return isForbidden || /(?:^|\/)\.?(?:\/|$)/.test(interpretations[0] ?? '') ? 'invalid' : undefined
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

const decoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => utf8.decode(Buffer.from(run.replaceAll('%', ''), 'hex')))

const characters = function* (): Generator<string> {
  for (let point = 1; point < 0x11_0000; point++)
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point)
}

test('each character of Unicode does in a path what it does in NFKC', (t) => {
  const different: string[] = []
  for (const character of characters()) {
    // The first tells whether it is a letter, the second which of dots and slashes are among its parts.
    const paths = [`${character}:a/b`, `a/${character}/.${character}`]
    for (const path of paths) if (documentPathCode(path) !== codeByTheBook(path)) different.push(path)
  }
  t.deepEqual(different, [])
})

const pieces = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('.', '/', '\\', ':', '%', 'a', '2', '5', 'c', 'F', 'é', '\ufeff', '\u0301'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '%2e',
      '%2F',
      '%5c',
      '%3A',
      '%25',
      '%252e',
      '%c3%a9',
      '%C3',
      '%a9',
      '%ef%bb%bf',
      '%00',
      '%ff',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '…',
      '‥',
      '․',
      '℀',
      '⒈',
      '⩴',
      '：',
      '／',
      '＼',
      '﹕',
      '︰',
      '㏂',
      'ﷺ',
      '🄀',
      'ﬀ',
      'ª',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
)

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

test('property: paths are refused as the three interpretations of them are, normalised whole', (t) => {
  const paths = fc
    .array(pieces, { maxLength: 12 })
    .map((parts) => parts.join(''))
    .filter(isWellFormed)
  fc.assert(
    fc.property(paths, (path) => documentPathCode(path) === codeByTheBook(path)),
    { numRuns: runs(100_000) },
  )
  t.pass()
})
