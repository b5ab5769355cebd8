import { randomBytes } from 'node:crypto'
import { connectSql } from '@account-import/adapter-sql'
import { createClient } from '@account-import/client'
import { guardedServers } from '../sql/support/guarded-servers.js'
import { gasAccount } from '../support/samples.js'
import { shell, type Json } from './support/shell.js'
import { started } from './support/started.js'

const onGuarded = guardedServers()

const secret = (): string => randomBytes(32).toString('base64')

/** Commands that change a row, and what another client of the database then reads of it. */
const changes: readonly (readonly [command: string, table: string, column: string, found: unknown])[] = [
  ['organisation create ACME', 'organisations', 'code', 'ACME'],
  ['supplier create S1 --organisation ACME', 'import_suppliers', 'code', 'S1'],
  ['supplier set-status S1 paused', 'import_suppliers', 'status', 'paused'],
  ['supplier set-status S1 ongoing', 'import_suppliers', 'status', 'ongoing'],
  ['team create North', 'operations_teams', 'name', 'North'],
  ['skip S1 SKIPPED', 'account_imports', 'external_account_number', 'SKIPPED'],
  ['webhook add https://hooks.example/x --organisation ACME', 'webhooks', 'organisation', 'ACME'],
]

onGuarded(
  'each command has done what it says, and a bulk import creates every account, on a server set against the service',
  async (t, { url, administratorUrl }) => {
    const environment = { DATABASE_URL: url, TOKEN_SIGNING_KEY: secret(), AUDIT_KEY: secret() }
    const { json, run } = await shell(t, environment)
    const other = connectSql(administratorUrl)
    t.teardown(() => other.destroy())
    t.is((await run('migrate')).code, 0)
    for (const [command, table, column, found] of changes) {
      await json(command)
      t.deepEqual(await other(table).pluck(column), [found], command)
    }
    const { api_key: apiKey } = await json('api-key create --organisation ACME')
    const { address } = await started(t, environment)
    const client = createClient({ baseUrl: address, apiKey: String(apiKey) })
    const accounts = Array.from({ length: 61 }, (_, index) => gasAccount('S1', `A-${index}`))
    const outcomes: string[] = []
    for await (const { outcome } of client.bulkStage(accounts)) outcomes.push(outcome)
    for await (const { outcome } of client.bulkProcess({
      import_supplier_code: 'S1',
      operations_team_name: 'North',
    }))
      outcomes.push(outcome)
    t.deepEqual(outcomes, Array<string>(122).fill('done'))
    t.is((await other('account_imports').where({ state: 'created' })).length, 61)
    t.is((await run('verify')).code, 0)
    t.is((await run('erase S1 A-1 --yes')).code, 0)
    t.is(
      (await other('account_imports').where({ external_account_number: 'A-1' }).whereNull('payload')).length,
      1,
    )
    const keys = await json<readonly Json[]>('api-key list')
    await json(`api-key revoke ${String(keys[0]?.['id'])}`)
    t.is((await other('api_keys').whereNotNull('revoked_at')).length, 1)
    await json('organisation disable ACME')
    t.is((await other('organisations').whereNotNull('disabled_at')).length, 1)
  },
)
