import { join } from 'node:path'

/** The supplier and the team of the generated accounts. Files of users have another supplier. */
const supplier = 'DEMO'
const team = 'Demo team'

/** The files that the demo writes, in the data folder of the demo server. */
export const filesIn = (data) => ({
  key: join(data, 'demo-api-key'),
  accounts: join(data, 'demo-accounts.ndjson'),
  report: join(data, 'demo-import.html'),
  failures: join(data, 'demo-failed.ndjson'),
})

/**
 * The command line of the generator: a thousand accounts, some of them with faults. The prefix keeps their numbers different from
 * those of accounts that a user generates later, which would otherwise exist already.
 */
export const generate = (data) => [
  ...`--count 1000 --invalid-share 0.01 --seed demo --supplier ${supplier} --prefix DEMO --out`.split(' '),
  filesIn(data).accounts,
]

/** The command lines of the demo: the import, which ends with 1 for the invalid accounts, and the summary. */
export const steps = (url, data) => {
  const { key, accounts, report, failures } = filesIn(data)
  const service = ['--url', url, '--api-key-file', key]
  return [
    ['import', accounts, '--team', team, ...service, '--report', report, '--failures', failures],
    ['status', supplier, ...service],
  ]
}

/** A command line as a user types it, on several lines if it is long. */
export const typed = (args) => {
  const words = ['account-import', ...args.map((arg) => (/^[\w./:-]+$/.test(arg) ? arg : `'${arg}'`))]
  const lines = ['$']
  for (const word of words) {
    const last = lines.at(-1)
    const isOption = word.startsWith('--')
    if (isOption && last.length > 60) lines.push(`    ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join(' \\\n')
}
