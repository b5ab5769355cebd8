// Writes docs/reference from the running codecs, catalogue, endpoints, configuration and command line of the
// built packages. With --check it writes nothing, and fails when a committed page is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { commandLinePage } from './reference/command-line.mjs'
import { configurationPage } from './reference/configuration.mjs'
import { endpointsPage } from './reference/endpoints.mjs'
import { errorsPage } from './reference/errors.mjs'
import { fieldsPage } from './reference/fields.mjs'
import { logPage } from './reference/log.mjs'
import { whatIsShippedPage } from './reference/what-is-shipped.mjs'

const folder = new URL('../docs/reference/', import.meta.url)
const notice = '<!-- Written by `npm run docs:generate` from the code. Change the code, not this page. -->'
const pages = {
  'fields.md': fieldsPage,
  'errors.md': errorsPage,
  'endpoints.md': endpointsPage,
  'configuration.md': configurationPage,
  'command-line.md': commandLinePage,
  'log.md': logPage,
  'what-is-shipped.md': whatIsShippedPage,
}

const committed = (file) => {
  try {
    return readFileSync(new URL(file, folder), 'utf8')
  } catch (cause) {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  }
}

const checkOnly = process.argv.includes('--check')
for (const [file, page] of Object.entries(pages)) {
  const text = `${notice}\n\n${page().trimEnd()}\n`
  if (!checkOnly) writeFileSync(new URL(file, folder), text)
  else if (committed(file) !== text) {
    console.error(`docs/reference/${file} is out of date. Run: npm run docs:generate`)
    process.exitCode = 1
  }
}
