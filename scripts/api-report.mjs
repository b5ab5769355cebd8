// Writes packages/{core,client}/etc/*.api.md: their public API, one report for each entry of their `exports`. With --check it
// writes nothing, and fails when a committed report is out of date. In all packages it checks that the types in exported
// signatures are exported. It reads compiled types (dist/**/*.d.ts), so the packages must be built.
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

/** Writes or checks the report of an entry, if it has one; returns the names in its signatures that it does not export itself. */
const report = (entry, compilerState) => {
  const notExported = []
  const config = configOf(entry, temporary)
  if (entry.hasReport && !checkOnly) mkdirSync(config.reportFolder, { recursive: true })
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
  // Compiled once for all entries, as that is most of the work.
  const compilerState = CompilerState.create(configOf(entries[0], temporary), {
    additionalEntryPoints: entries.map(({ types }) => types),
  })
  for (const entry of entries) {
    const beside = entries.filter(({ folder }) => folder === entry.folder)
    const exported = namesExportedBy(beside, compilerState.program)
    for (const name of report(entry, compilerState))
      // A constant from which only a type is inferred need not be exported. A second name for one thing ends with a number.
      if (/^[A-Z]/.test(name) && !exported.has(name.replace(/_\d+$/, '')))
        fail(`${entry.types}: ${name} is used by what is exported, so export it too`)
  }
} finally {
  rmSync(temporary, { recursive: true })
}
