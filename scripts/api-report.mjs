// Writes packages/*/etc/*.api.md: what each package shows to those who import it, one report for each entry of its
// `exports`. With --check it writes nothing and fails when a committed report is not what it would write.
// It reads compiled types (dist/**/*.d.ts), so the packages have to be built.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompilerState, Extractor } from '@microsoft/api-extractor'
import { configOf } from './api-report/config.mjs'
import { publicEntries } from './api-report/entries.mjs'
import { namesExportedBy } from './api-report/exported-names.mjs'

const checkOnly = process.argv.includes('--check')
const temporary = mkdtempSync(join(tmpdir(), 'api-report-'))

const fail = (text) => {
  console.error(text)
  process.exitCode = 1
}

/** The names that signatures of the entry use and that it does not export itself. */
const report = (entry, compilerState) => {
  const notExported = []
  const config = configOf(entry, temporary)
  if (!checkOnly) mkdirSync(config.reportFolder, { recursive: true })
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !checkOnly,
    compilerState,
    messageCallback: (message) => {
      if (message.messageId === 'ae-forgotten-export') notExported.push(/"(\w+)"/.exec(message.text)?.[1])
      else if (message.logLevel === 'error') fail(`${entry.types}: ${message.text}`)
      message.handled = true
    },
  })
  if (checkOnly && apiReportChanged) fail(`${config.reportFilePath} is out of date. Run: npm run api:report`)
  return notExported
}

try {
  const entries = publicEntries()
  // Compiled once for all: that is most of the work.
  const compilerState = CompilerState.create(configOf(entries[0], temporary), {
    additionalEntryPoints: entries.map(({ types }) => types),
  })
  for (const entry of entries) {
    const beside = entries.filter(({ folder }) => folder === entry.folder)
    const exported = namesExportedBy(beside, compilerState.program)
    for (const name of report(entry, compilerState))
      // Constants that only a type is taken from need not be; a second name for the same thing gets a number.
      if (/^[A-Z]/.test(name) && !exported.has(name.replace(/_\d+$/, '')))
        fail(`${entry.types}: ${name} is used by what is exported, so export it too`)
  }
} finally {
  rmSync(temporary, { recursive: true })
}
