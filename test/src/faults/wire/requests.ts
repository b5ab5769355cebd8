import type { BulkResults, Client, ProcessedLine, Result, StagedLine } from '@account-import/client'
import { additionOf } from '../../crash/additions/addition.js'
import type { AdditionTally } from '../../crash/additions/addition-traffic.js'
import { note, passingWithDatabase, type Tally } from '../../crash/tally.js'
import { processOne } from '../../crash/traffic.js'
import { gasAccount } from '../../support/samples.js'
import type { SharedDatabase } from '../../support/shared-database.js'
import type { Request, Told } from './sweep.js'

/** What the clients of one database know, and where their requests go. */
export type Sending = Readonly<{
  database: SharedDatabase
  client: Client
  /** Every account that was staged. */
  numbers: string[]
  tally: Tally
  additions: AdditionTally
  /** Requests that were sent, and those that were answered as done. */
  counts: { requests: number; acknowledged: number }
}>

/** Makes a request that was not sent before. */
export type Fresh = (sending: Sending) => Promise<Request>

/** The same, and what is sent is counted. */
export const counted =
  (fresh: Fresh): Fresh =>
  async (sending) => {
    const request = await fresh(sending)
    return async () => {
      sending.counts.requests += 1
      const told = await request()
      if (told === 'done') sending.counts.acknowledged += 1
      return told
    }
  }

const laterOrFault = (result: Extract<Result<unknown>, { ok: false }>): Told =>
  passingWithDatabase.has(result.problem.code)
    ? 'later'
    : { fault: `${result.status} ${result.problem.code}` }

const nextNumber = ({ numbers }: Sending): string => {
  const number = `A-${numbers.length}`
  numbers.push(number)
  return number
}

/** Whoever stages again what was staged replaces it, which an account tells by the version that it was created from. */
const sendings = (tally: Tally, numbers: readonly string[]): (() => void) => {
  let wasSent = false
  return () => {
    if (wasSent) for (const number of numbers) tally.restaged.add(number)
    wasSent = true
  }
}

export const staging = async (sending: Sending): Promise<Request> => {
  const { database, client, tally } = sending
  const number = nextNumber(sending)
  const noteSending = sendings(tally, [number])
  return async () => {
    noteSending()
    const result = await client.stageAccount(gasAccount(database.supplier, number))
    return result.ok ? 'done' : laterOrFault(result)
  }
}

export const processing = async (sending: Sending): Promise<Request> => {
  const { database, client, tally } = sending
  const number = nextNumber(sending)
  await database.stage([number])
  return async () => {
    // Once it was answered 201, it may be asked for again, and has to be there.
    if (tally.acknowledged.has(number)) return 'done'
    const result = await processOne(database, client, number)
    if (note(tally, number, result, passingWithDatabase)) return 'done'
    return result.ok ? 'done' : laterOrFault(result)
  }
}

/** The five kinds of additions take turns; the account has the first number. */
export const addition = (sending: Sending, ordinal: number): Request => {
  const { client, additions, database, numbers } = sending
  const request = additionOf(database.supplier, numbers[0] ?? '', ordinal)
  let wasCut = false
  let isDone = false
  return async () => {
    if (isDone) return 'done'
    const verdict = await request.send(client)
    if (verdict === 'cut off' || (typeof verdict === 'object' && verdict.fault.startsWith('503 '))) {
      wasCut = true
      return 'later'
    }
    if (typeof verdict === 'object') return verdict
    if (verdict === 'there' && !wasCut) return { fault: 'there before it was sent' }
    isDone = true
    if (verdict === 'added') additions.acknowledged.push(request)
    else additions.learned.push(request)
    return 'done'
  }
}

/** All lines done, some to come again, or a fault. `isThere` tells of a failed line that it had been done before. */
const toldByLines = async (
  results: BulkResults<StagedLine | ProcessedLine>,
  onDone: (number: string, platformAccountNumber: string) => void,
): Promise<Told> => {
  let told: Told = 'done'
  for await (const result of results) {
    if (result.outcome === 'stopped') return laterOrFault(result.failure)
    if (result.outcome === 'done') {
      if ('platformAccountNumber' in result)
        onDone(result.externalAccountNumber, result.platformAccountNumber ?? '')
    } else if (result.code === 'account_already_imported') {
      const { platform_account_number: platform } = result.problem as { platform_account_number?: string }
      onDone(result.externalAccountNumber ?? '', platform ?? '')
    } else if (passingWithDatabase.has(result.code)) told = 'later'
    else return { fault: `line ${result.line}: ${result.status} ${result.code}` }
  }
  return results.summary.complete ? told : 'later'
}

const lines = 12
const noRetries = { retrySeconds: 0 }

const nextNumbers = (sending: Sending): readonly string[] =>
  Array.from({ length: lines }, () => nextNumber(sending))

export const bulkStaging = async (sending: Sending): Promise<Request> => {
  const numbers = nextNumbers(sending)
  const { database, client, tally } = sending
  const noteSending = sendings(tally, numbers)
  return () => {
    noteSending()
    const accounts = numbers.map((number) => gasAccount(database.supplier, number))
    return toldByLines(client.bulkStage(accounts, noRetries), () => undefined)
  }
}

export const bulkProcessing = async (sending: Sending): Promise<Request> => {
  const { database, client, tally } = sending
  const numbers = nextNumbers(sending)
  await database.stage(numbers)
  return () =>
    toldByLines(
      client.bulkProcess(
        {
          import_supplier_code: database.supplier,
          operations_team_name: database.team,
          external_account_numbers: numbers,
        },
        noRetries,
      ),
      (number, platform) => {
        const known = tally.learned.get(number)
        if (known !== undefined && known !== platform) tally.unexpected.push(`${number}: two accounts`)
        tally.learned.set(number, platform)
      },
    )
}
