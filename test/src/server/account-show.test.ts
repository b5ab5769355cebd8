import { readFile } from 'node:fs/promises'
import test from 'ava'
import { openService, readConfig } from '@account-import/server'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'

const samples = new URL('../../../examples/samples/', import.meta.url)

for (const [file, number] of [
  ['gas-account.json', 'LEV-G-000123'],
  ['electricity-account.json', 'LEV-E-000456'],
] as const)
  test(`account show gives ${file} back as it was staged, and for people its notes, transactions and statements`, async (t) => {
    const environment = { DATA_DIR: await tempFolder(t) }
    const payload = JSON.parse(await readFile(new URL(file, samples), 'utf8')) as Record<string, unknown>
    const config = readConfig(environment, 'operate')
    if (config._tag === 'Left') throw new Error('the configuration of the test is wrong')
    const service = await openService(config.right)
    const { operator, stageAccount, processAccount } = service.useCases
    await operator.createOrganisation({ code: 'ACME' })()
    await operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })()
    await operator.createTeam('North')()
    await stageAccount({ organisation: 'ACME', payload })()
    const request = {
      import_supplier_code: 'LEVANTE',
      external_account_number: payload['external_account_number'],
      operations_team_name: 'North',
    }
    const processed = await processAccount({ organisation: 'ACME', payload: request })()
    await service.close()
    t.is(processed._tag, 'Right')

    const shown = await cliInProcess(['account', 'show', 'LEVANTE', number, '--json'], environment)
    t.is(shown.code, 0, shown.stderr)
    const account = JSON.parse(shown.stdout) as { details: Record<string, unknown> }
    t.like(account, { external_account_number: number, operations_team: 'North', staged_version: 1 })
    for (const field of ['customers', 'supply_addresses', 'statements', 'metadata', 'references'])
      t.like({ is: account.details[field] }, { is: payload[field] ?? [] }, field)

    const { stdout } = await cliInProcess(['account', 'show', 'LEVANTE', number], environment)
    for (const heading of ['Notes', 'Transactions', 'Statements', 'Payment instructions'])
      t.regex(stdout, new RegExp(`^${heading}$`, 'm'))
    const ledgers = payload['ledgers'] as { current_statement_transactions: { transaction_id: string }[] }[]
    for (const { transaction_id: id } of ledgers.flatMap((ledger) => ledger.current_statement_transactions))
      t.true(stdout.includes(id))
  })
