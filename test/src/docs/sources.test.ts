import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { filesBelow, root, textOf } from '../support/repository.js'
import { anchorsOf } from './anchors-of.js'

/** The text of a source file, each of its comments in one line. */
const sourceText = (path: string): string => textOf(path).replace(/\s*\n\s*(?:\*|\/\/) /g, ' ')

const sources = ['packages', 'bench', 'test', 'examples', 'scripts']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\.(?:ts|mjs)$/.test(path))

const found = (pattern: RegExp): readonly (readonly [path: string, mention: string])[] =>
  sources.flatMap((path) =>
    [...sourceText(path).matchAll(pattern)].map(([mention]) => [path, mention] as const),
  )

const leadsNowhere = (mention: string): boolean => {
  const [page = '', anchor] = mention.split('#')
  if (!existsSync(join(root, page))) return true
  return anchor !== undefined && !anchorsOf(page).has(anchor)
}

const numbered = /(?:\bRFC \d+, )?\b(?:[Ss]ection|[Tt]able|[Ll]ayer|[Ss]tep|[Rr]ule)s? (?:\d|[A-Z]\b)/g

test('sources refer to sections and tables by number only in an RFC', (t) => {
  const mentions = found(numbered)
  const [inRfcs, others] = [true, false].map((isRfc) =>
    mentions.filter(([, mention]) => mention.startsWith('RFC ') === isRfc),
  )
  t.not(inRfcs?.length, 0)
  t.deepEqual(others, [])
})

test('every page of docs that a source mentions is there, with the anchor', (t) => {
  const mentions = found(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)
  t.true(mentions.some(([, mention]) => mention.includes('#')))
  t.deepEqual(
    mentions.filter(([, mention]) => leadsNowhere(mention)),
    [],
  )
})

test('no test file chooses its own seed: properties come from the module that fixes it', (t) => {
  t.deepEqual(
    sources.filter(
      (path) => path.endsWith('.test.ts') && /^import .* from 'fast-check'$/m.test(textOf(path)),
    ),
    [],
  )
})
