import type {
  BulkLine,
  BulkResults,
  PortFailure,
  Processed,
  ProcessingRefused,
  Staged,
  StagingRefused,
} from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'
import { gasAccount } from '../../support/samples.js'
import {
  expectRefusal,
  hearNumber,
  importSupplier,
  isCreated,
  keyOf,
  organisation,
  outcomeOf,
  team,
  type Answered,
  type Client,
} from './client.js'
import { numbers } from './plan.js'

const gas = gasAccount(importSupplier, '')

const payloadOf = ({ known }: Client, number: string): object => {
  const payload = { ...gas, external_account_number: number, billing_name: known.nextName() }
  known.sent.stage(keyOf(number), payload)
  return payload
}

const hearStaged = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<StagingRefused, Staged>,
): void => {
  if (answer === undefined) return
  const { stagings, violations } = client.known
  if (E.isRight(answer)) {
    if (wasCreated) violations.push(`I2: ${number} was staged after it was created`)
    stagings.set(number, (stagings.get(number) ?? 0) + 1)
  } else if (answer.left._tag === 'AccountAlreadyImported')
    hearNumber(client, number, answer.left.platformAccountNumber)
  else {
    const isExpected = !wasCreated && answer.left._tag !== 'AccountFailedValidation'
    expectRefusal(client, isExpected, `staging ${number}`, answer.left)
  }
}

const faultsOfContent: ReadonlySet<string> = new Set([
  'AccountFailedValidation',
  'RequestFailedValidation',
  'OperationsTeamDoesNotExist',
])

export const hearProcessed = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<ProcessingRefused, Processed>,
): void => {
  if (answer === undefined) return
  if (E.isRight(answer)) {
    if (wasCreated) client.known.violations.push(`I1: ${number} was created again`)
    hearNumber(client, number, answer.right.platformAccountNumber)
  } else if (answer.left._tag === 'AccountAlreadyImported')
    hearNumber(client, number, answer.left.platformAccountNumber)
  else {
    const isExpected = !wasCreated && !faultsOfContent.has(answer.left._tag)
    expectRefusal(client, isExpected, `processing ${number}`, answer.left)
  }
}

export const stage = async (client: Client, number: string): Promise<void> => {
  const payload = payloadOf(client, number)
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(({ stageAccount }) => stageAccount({ organisation, payload }))
  hearStaged(client, number, wasCreated, answer)
}

export const processing = { import_supplier_code: importSupplier, operations_team_name: team }

export const process = async (client: Client, number: string, isDryRun: boolean): Promise<void> => {
  const payload = { ...processing, external_account_number: number, dry_run: isDryRun }
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(({ processAccount }) => processAccount({ organisation, payload }))
  hearProcessed(client, number, wasCreated, answer)
}

/** The results of a bulk request, heard as they come. */
const heard =
  <Refused, RefusedOne, A>(
    request: TaskEither<Refused, BulkResults<RefusedOne, A>>,
    hear: (number: string, outcome: E.Either<RefusedOne | PortFailure, A>) => void,
  ): TaskEither<Refused, void> =>
  async () => {
    const results = await request()
    if (E.isLeft(results)) return results
    for await (const page of results.right)
      for (const { externalAccountNumber, outcome } of page) hear(externalAccountNumber ?? '', outcome)
    return E.right(undefined)
  }

async function* linesOf(client: Client): AsyncGenerator<BulkLine> {
  for (const [index, number] of numbers.entries())
    yield { line: index + 1, bytes: 1, json: E.right({ payload: payloadOf(client, number) }) }
}

export const bulkStage = async (client: Client): Promise<void> => {
  const created = new Set(numbers.filter((number) => isCreated(client, number)))
  await client.ask((useCases) =>
    heard(useCases.bulkStage({ organisation, lines: linesOf(client) }), (number, outcome) => {
      // Its lines can all be read.
      const answer = outcomeOf(client.known, outcome) as Answered<StagingRefused, Staged>
      hearStaged(client, number, created.has(number), answer)
    }),
  )
}

export const bulkProcess = async (client: Client): Promise<void> => {
  const created = new Set(numbers.filter((number) => isCreated(client, number)))
  const payload = { ...processing, external_account_numbers: numbers }
  await client.ask((useCases) =>
    heard(useCases.bulkProcess({ organisation, payload }), (number, outcome) =>
      hearProcessed(client, number, created.has(number), outcomeOf(client.known, outcome)),
    ),
  )
}
