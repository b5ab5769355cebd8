import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

/** Where an answer is read, possibly of a newer service, or was written long ago: any text may come. */
const readers = [
  'packages/http-contract/src/problems/problem-body.ts',
  'packages/http-contract/src/calls/account-import-summary.ts',
  'packages/http-contract/src/calls/transfer-status.ts',
  'packages/http-contract/src/warning-header-reader.ts',
]

/** What goes into the log: GraphQL has codes of its own. */
const logs = ['packages/adapter-http-koa/src/context.ts', 'packages/adapter-http-koa/src/log-entry.ts']

/** Folders in which `code` is always one of the catalogue. */
const writers = [
  'packages/core/src/catalogue',
  'packages/core/src/codec',
  'packages/core/src/rules',
  'packages/core/src/validation',
  'packages/http-contract/src',
  'packages/adapter-http-koa/src',
]

test('what writes a code has it typed by the catalogue; only what reads answers takes any text', (t) => {
  const sources = writers.flatMap((folder) => filesBelow(folder)).filter((path) => path.endsWith('.ts'))
  const untyped = sources.filter((path) =>
    /\bcode\??: (string|t\.string)\b|as ErrorCode\b(?![[)])/.test(textOf(path)),
  )
  t.true(sources.length > 100)
  t.deepEqual(untyped.sort(), [...readers, ...logs].sort())
})
