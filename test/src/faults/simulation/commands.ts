import type {
  BulkLine,
  BulkResults,
  PortFailure,
  Processed,
  ProcessingRefused,
  RunRefused,
  Staged,
  StagingRefused,
  SupplierSettings,
  UseCases,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { E, type Either, pipe } from '@account-import/core/fp'
import type { SettableClock } from '../../use-cases/support/service.js'
import { gasAccount } from '../../support/samples.js'
import { addByUseCases, isAdded, sentAddition } from '../loads/additions.js'
import {
  granted,
  hearNumber,
  importSupplier,
  isCreated,
  keyOf,
  organisation,
  outcomeOf,
  team,
  type Answered,
  type Client,
} from './clients.js'
import { numbers, type AdditionKind, type Command } from './plan.js'

const gas = gasAccount(importSupplier, '')

const payloadOf = ({ known }: Client, number: string): object => {
  const payload = { ...gas, external_account_number: number, billing_name: known.nextName() }
  known.tally.stage(keyOf(number), payload)
  return payload
}

const noteStaged = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<StagingRefused | RunRefused, Staged>,
): void => {
  const { tally } = client.known
  const staged = granted(client, answer, `staging ${number}`, (refusal) => {
    if (refusal._tag !== 'AccountAlreadyImported')
      return !wasCreated && refusal._tag !== 'AccountFailedValidation'
    hearNumber(client, number, refusal.platformAccountNumber)
    return true
  })
  if (staged === undefined) return
  if (wasCreated) tally.violations.push(`I2: ${number} was staged after it was created`)
  tally.staged(keyOf(number))
}

const faultsOfContent: ReadonlySet<string> = new Set([
  'AccountFailedValidation',
  'RequestFailedValidation',
  'OperationsTeamDoesNotExist',
])

const noteProcessed = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<ProcessingRefused | RunRefused, Processed>,
): void => {
  const processed = granted(client, answer, `processing ${number}`, (refusal) => {
    if (refusal._tag !== 'AccountAlreadyImported') return !wasCreated && !faultsOfContent.has(refusal._tag)
    hearNumber(client, number, refusal.platformAccountNumber)
    return true
  })
  if (processed === undefined) return
  if (wasCreated) client.known.tally.violations.push(`I1: ${number} was created again`)
  hearNumber(client, number, processed.platformAccountNumber)
}

const stage = async (client: Client, number: string): Promise<void> => {
  const payload = payloadOf(client, number)
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(({ stageAccount }) => stageAccount({ organisation, payload }))
  noteStaged(client, number, wasCreated, answer)
}

const processing = { import_supplier_code: importSupplier, operations_team_name: team }

const process = async (client: Client, number: string, isDryRun: boolean): Promise<void> => {
  const payload = { ...processing, external_account_number: number, dry_run: isDryRun }
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(({ processAccount }) => processAccount({ organisation, payload }))
  noteProcessed(client, number, wasCreated, answer)
}

/** The results of a bulk request, as they arrive. */
const heard = async <Refused, RefusedOne, A>(
  request: Promise<Either<Refused, BulkResults<RefusedOne, A>>>,
  hear: (number: string, outcome: Either<RefusedOne | PortFailure, A>) => void,
): Promise<Either<Refused, void>> => {
  const results = await request
  if (E.isLeft(results)) return results
  for await (const page of results.right)
    for (const { externalAccountNumber, outcome } of page) hear(externalAccountNumber ?? '', outcome)
  return E.right(undefined)
}

async function* linesOf(client: Client): AsyncGenerator<BulkLine> {
  for (const [index, number] of numbers.entries())
    yield { line: index + 1, bytes: 1, json: async () => E.right({ payload: payloadOf(client, number) }) }
}

const bulkStage = async (client: Client): Promise<void> => {
  const created = new Set(numbers.filter((number) => isCreated(client, number)))
  await client.ask((useCases) =>
    heard(useCases.bulkStage({ organisation, lines: linesOf(client) }), (number, outcome) => {
      // All of its lines are valid.
      const answer = outcomeOf(client.known, outcome) as Answered<StagingRefused | RunRefused, Staged>
      noteStaged(client, number, created.has(number), answer)
    }),
  )
}

const bulkProcess = async (client: Client): Promise<void> => {
  const created = new Set(numbers.filter((number) => isCreated(client, number)))
  const payload = { ...processing, external_account_numbers: numbers }
  await client.ask((useCases) =>
    heard(useCases.bulkProcess({ organisation, payload }), (number, outcome) =>
      noteProcessed(client, number, created.has(number), outcomeOf(client.known, outcome)),
    ),
  )
}

type Result = Either<ProcessingRefused | RunRefused | PortFailure, Processed>

/** The part of a result that is equal when the request is repeated. */
const keptText = (result: Result): string | undefined => {
  if (E.isRight(result)) return `created as ${result.right.platformAccountNumber}`
  const { left } = result
  return left._tag === 'AccountAlreadyImported' ? `there as ${left.platformAccountNumber}` : undefined
}

/** The result of this request, or the stored text of an earlier one. */
type Given = Readonly<{ own: Result }> | Readonly<{ kept: string }>

/** One key for each account, so that clients conflict. */
const processUnderKey = (number: string) => async (useCases: UseCases) => {
  const request = {
    organisation,
    key: `process ${number}`,
    method: 'POST',
    path: '/process',
    content: 'c'.repeat(64),
  }
  let own: Result | undefined
  const first = async () => {
    const payload = { ...processing, external_account_number: number }
    own = await useCases.processAccount({ organisation, payload })
    const body = keptText(own)
    return { answer: { status: 200, headers: {}, body: body ?? '' }, isFinal: body !== undefined }
  }
  return pipe(
    await useCases.answerOnce(request, first),
    E.flatMap(({ answer }): Either<PortFailure, Given> => {
      if (own === undefined) return E.right({ kept: answer.body })
      if (E.isLeft(own) && own.left._tag === 'PortFailure') return E.left(own.left)
      return E.right({ own })
    }),
  )
}

const once = async (client: Client, number: string): Promise<void> => {
  const { idempotencyRecords, tally } = client.known
  const before = idempotencyRecords.get(number)
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(processUnderKey(number))
  const given = granted(
    client,
    answer,
    `processing ${number} under its key`,
    ({ _tag }) => before === undefined && _tag === 'IdempotencyKeyInProgress',
  )
  if (given === undefined) return
  const kept = 'kept' in given ? given.kept : undefined
  if (before !== undefined && before !== kept)
    tally.violations.push(`I5: ${number}: its key was answered by ${kept ?? 'another try'} after ${before}`)
  // Failures of its ports are the client's answer already.
  if ('own' in given)
    return noteProcessed(
      client,
      number,
      wasCreated,
      given.own as Answered<ProcessingRefused | RunRefused, Processed>,
    )
  idempotencyRecords.set(number, given.kept)
  hearNumber(client, number, given.kept.split(' as ')[1] ?? '')
}

/** Adds two items of a kind to an account, once or twice at once: then one of the requests adds them. */
const add = async (client: Client, number: string, kind: AdditionKind, isTwice: boolean): Promise<void> => {
  const { tally, nextName } = client.known
  const names = kind === 'instruction' ? [nextName()] : [nextName(), nextName()]
  const addition = sentAddition(keyOf(number), kind, names)
  tally.add(addition)
  const wasCreated = isCreated(client, number)
  let added = 0
  const once = async (): Promise<void> => {
    const answer = await client.ask((useCases) => addByUseCases[kind](useCases, addition.key, names))
    const statuses = granted(client, answer, `adding to ${number}`, ({ _tag }) => {
      const isThere = isTwice && kind === 'statement' && _tag === 'RequestFailedValidation'
      const isAbsent = !wasCreated && _tag === 'AccountNotFound'
      return isThere || isAbsent || _tag === 'SupplierNotOngoing'
    })
    if (statuses === undefined) return
    added += statuses.filter(isAdded).length
    tally.settle(addition)
  }
  await Promise.all(isTwice ? [once(), once()] : [once()])
  if (added > names.length)
    tally.violations.push(`I5: ${number}: ${kind} was reported as added ${added} times, of ${names.length}`)
}

const look = async (client: Client, number: string): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const wasStaged = client.known.tally.stagingsOf(keyOf(number)) > 0
  const answer = await client.ask(({ transferStatus }) => transferStatus(keyOf(number)))
  const told = granted(client, answer, `asking for ${number}`, () => !wasCreated && !wasStaged)
  if (told === undefined) return
  if (told.platformAccountNumber !== undefined) hearNumber(client, number, told.platformAccountNumber)
  if (wasCreated && told.status !== 'COMPLETED')
    client.known.tally.violations.push(`I2, I4: ${number} is ${told.status} after it was created`)
}

const list = async (client: Client): Promise<void> => {
  const { told, violations } = client.known.tally
  const before = [...told.keys()]
  const request = { organisation, importSupplier, list: 'imported' as const, after: undefined, limit: 100 }
  const page = granted(client, await client.ask((all) => all.accountImportsPage(request)), 'a list')
  if (page === undefined) return
  for (const { externalAccountNumber, platformAccountNumber } of page.items)
    hearNumber(client, externalAccountNumber, String(platformAccountNumber))
  const listed = new Set(page.items.map((item) => accountKeyText(keyOf(item.externalAccountNumber))))
  for (const key of before) if (!listed.has(key)) violations.push(`I2: ${key} was created and is not listed`)
}

const skip = async (client: Client, number: string, skipped: boolean): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const named = { importSupplier, externalAccountNumber: number, skipped }
  const answer = await client.ask(({ operator }) => operator.setSkipped(named))
  granted(client, answer, `marking ${number}`, ({ _tag }) => _tag === 'AccountIsImported' || !wasCreated)
  if (wasCreated && answer !== undefined && E.isRight(answer))
    client.known.tally.violations.push(`I7: ${number} was marked after it was created`)
}

/** Each change adds its own domain, so that a lost one is detected. */
const configure = async (client: Client): Promise<void> => {
  const { domains, nextName } = client.known
  const domain = `${nextName()}.example`
  domains.set(domain, false)
  const change = ({ internalEmailDomains, ...settings }: SupplierSettings): SupplierSettings => ({
    ...settings,
    internalEmailDomains: [...internalEmailDomains, domain],
  })
  const answer = await client.ask(({ operator }) =>
    operator.configureSupplier({ code: importSupplier, change }),
  )
  granted(client, answer, 'a change of settings')
  if (answer !== undefined && E.isRight(answer)) domains.set(domain, true)
}

const pause = async (client: Client): Promise<void> => {
  for (const status of ['paused', 'ongoing'] as const) {
    const request = { code: importSupplier, status }
    const answer = await client.ask(({ operator }) => operator.setSupplierStatus(request))
    granted(client, answer, `making it ${status}`)
  }
}

/** A token works; the token to refresh it works once, of two uses at once too. */
const signIn = async (client: Client): Promise<void> => {
  const { apiKey, tally } = client.known
  const address = `client ${client.ordinal}`
  const answer = await client.ask(({ obtainToken }) => obtainToken({ credentials: { apiKey }, address }))
  const tokens = granted(client, answer, 'an API key')
  if (tokens === undefined) return
  const { token, refreshToken } = tokens
  granted(client, await client.ask(({ authenticate }) => authenticate(token)), 'a token')
  const refresh = () =>
    client.ask(({ obtainToken }) => obtainToken({ credentials: { refreshToken }, address }))
  const uses = await Promise.all([refresh(), refresh()])
  const used = uses.filter((use) => use !== undefined && E.isRight(use)).length
  if (used > 1) tally.violations.push('I5: a refresh token was used twice')
  if (used === 0 && uses.every((use) => use !== undefined))
    tally.violations.push('I2: a refresh token was refused')
}

const deliver = async (client: Client): Promise<void> => {
  const claimed = await client.ask(({ emails }) => emails.claimDue(2))
  if (claimed === undefined || E.isLeft(claimed)) return
  for (const email of claimed.right)
    await client.ask(({ emails }) => emails.deliver(email, new AbortController().signal))
}

const others = { bulkStage, bulkProcess, list, configure, pause, signIn, deliver }

export const doCommand = async (client: Client, command: Command, clock: SettableClock): Promise<void> => {
  switch (command.does) {
    case 'stage':
      return stage(client, command.account)
    case 'processOnce':
      // An answer that was replayed once is the answer from then on.
      for (let time = 0; time < command.times; time += 1) await once(client, command.account)
      return
    case 'look':
      return look(client, command.account)
    case 'process':
      return process(client, command.account, command.isDryRun)
    case 'add':
      return add(client, command.account, command.kind, command.isTwice)
    case 'skip':
      return skip(client, command.account, command.skipped)
    case 'pass':
      return clock.pass(command.seconds)
    default:
      return others[command.does](client)
  }
}
