import { createClient } from '@account-import/client'
import type { CustomerEmail } from '@account-import/core'
import { startServerProcess, type ServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { answer } from '../../support/answers.js'
import type { CliEnvironment } from '../../support/cli-process.js'

/** A database for server processes whose supplier writes to customers. */
export type Relaying = SharedDatabase &
  Readonly<{
    start(settings?: CliEnvironment): Promise<ServerProcess>
    emails(): Promise<readonly CustomerEmail[]>
    /** The states of all e-mails, with how many are in each. */
    states(): Promise<Readonly<Record<string, number>>>
  }>

export const openRelaying = async (url: string, settings: CliEnvironment): Promise<Relaying> => {
  const database = await openSharedDatabase(url, { MAIL_FROM: 'Llum <no-reply@example.com>', ...settings })
  const { stores, supplier, organisation, environment } = database
  const saved = await answer(stores.importSuppliers.findByCode(supplier))
  if (saved === undefined) throw new Error('there is no supplier')
  const on = { ...saved.settings, migrationEmails: true }
  await answer(stores.importSuppliers.saveSettings(supplier, saved.settings, on))
  const emails = async (): Promise<readonly CustomerEmail[]> => {
    const found: CustomerEmail[] = []
    for (;;) {
      const after = found.at(-1)?.key.externalAccountNumber
      const request = { organisation, importSupplier: supplier, list: undefined, after, limit: 1000 }
      const page = await answer(stores.outbox.page(request))
      found.push(...page)
      if (page.length < 1000) return found
    }
  }
  return {
    ...database,
    start: (more = {}) => startServerProcess({ ...environment, ...more }),
    emails,
    states: async () => {
      const counts: Record<string, number> = {}
      for (const { state } of await emails()) counts[state._tag] = (counts[state._tag] ?? 0) + 1
      return counts
    },
  }
}

/** Creates the accounts through the server. */
export const processAll = async (
  { supplier, team, apiKey, stage }: Relaying,
  server: ServerProcess,
  numbers: readonly string[],
): Promise<void> => {
  await stage(numbers)
  const client = createClient({ baseUrl: server.address, apiKey })
  for (const number of numbers) {
    const result = await client.processAccount({
      external_account_number: number,
      import_supplier_code: supplier,
      operations_team_name: team,
    })
    if (!result.ok) throw new Error(`${number}: ${result.problem.code}`)
  }
}
