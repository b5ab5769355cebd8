import type { Client, Result } from '@account-import/client'
import { gasAccount, sample, type JsonObject } from './samples.js'

export type Addressed = Readonly<{ supplier: string; team: string; apiKey: string }>

/** One account from staging to additions, each request through the next server; returns unexpected responses. */
const journey = async (
  clientFor: (step: number) => Client,
  { supplier, team }: Addressed,
  number: string,
): Promise<readonly string[]> => {
  const faults: string[] = []
  const expectOk = <A>(step: string, result: Result<A>): A | undefined => {
    if (result.ok) return result.body
    faults.push(`${number}: ${step} was answered ${result.status} ${result.problem.code}`)
    return undefined
  }
  const request = {
    import_supplier_code: supplier,
    external_account_number: number,
    operations_team_name: team,
  }
  expectOk('staging', await clientFor(0).stageAccount(gasAccount(supplier, number)))
  expectOk('staging again', await clientFor(1).stageAccount(gasAccount(supplier, number)))
  const created = expectOk('processing', await clientFor(2).processAccount(request))
  const again = await clientFor(3).processAccount(request)
  if (again.ok) faults.push(`${number}: was created twice`)
  const to = (name: string): JsonObject => ({
    ...sample(`${name}.json`),
    import_supplier: supplier,
    external_account_number: number,
  })
  expectOk('notes', await clientFor(0).addNotes(to('notes')))
  expectOk('transactions', await clientFor(1).addTransactions(to('transactions')))
  const status = expectOk('status', await clientFor(1).transferStatus(supplier, number))
  if (status?.platform_account_number !== created?.platform_account_number)
    faults.push(`${number}: has another number than was told`)
  return faults
}

/** This number of accounts, eight at a time, through all of the servers. */
export const journeys = async (
  clients: readonly Client[],
  addressed: Addressed,
  from: number,
  count: number,
): Promise<readonly string[]> => {
  const faults: string[] = []
  let next = from
  const work = async (): Promise<void> => {
    while (next < from + count) {
      const index = next++
      const clientFor = (step: number): Client => clients[(index + step) % clients.length] as Client
      faults.push(...(await journey(clientFor, addressed, `U-${index}`)))
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return faults
}
