import type {
  BulkLine,
  BulkResults,
  PortFailure,
  Processed,
  ProcessingRefused,
  Staged,
  StagingRefused,
  UseCases,
} from '@account-import/core'
import { accountKeyText, E, pipe, TE, type Either, type TaskEither } from '@account-import/core/adapter-kit'
import { gasAccount } from '../../support/samples.js'
import { addByUseCases, isAdded, sentAddition } from '../loads/additions.js'
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
} from './clients.js'
import { numbers, type AdditionKind } from './plan.js'

const gas = gasAccount(importSupplier, '')

const payloadOf = ({ known }: Client, number: string): object => {
  const payload = { ...gas, external_account_number: number, billing_name: known.nextName() }
  known.tally.stage(keyOf(number), payload)
  return payload
}

const hearStaged = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<StagingRefused, Staged>,
): void => {
  if (answer === undefined) return
  const { tally } = client.known
  if (E.isRight(answer)) {
    if (wasCreated) tally.violations.push(`I2: ${number} was staged after it was created`)
    tally.staged(keyOf(number))
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

const hearProcessed = (
  client: Client,
  number: string,
  wasCreated: boolean,
  answer: Answered<ProcessingRefused, Processed>,
): void => {
  if (answer === undefined) return
  if (E.isRight(answer)) {
    if (wasCreated) client.known.tally.violations.push(`I1: ${number} was created again`)
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

const processing = { import_supplier_code: importSupplier, operations_team_name: team }

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

type Result = Either<ProcessingRefused | PortFailure, Processed>

/** What is kept of a result: that which would not be another one if the request came again. */
const keptText = (result: Result): string | undefined => {
  if (E.isRight(result)) return `created as ${result.right.platformAccountNumber}`
  const { left } = result
  return left._tag === 'AccountAlreadyImported' ? `there as ${left.platformAccountNumber}` : undefined
}

const numberIn = (text: string): string => text.split(' as ')[1] ?? ''

/** The result of this request, or the text that was kept of an earlier one. */
type Given = Readonly<{ own: Result }> | Readonly<{ kept: string }>

/** There is one key for each account, so that clients meet at it. */
const processUnderKey = (number: string) => (useCases: UseCases) => {
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
    own = await useCases.processAccount({ organisation, payload })()
    const body = keptText(own)
    return { answer: { status: 200, headers: {}, body: body ?? '' }, isFinal: body !== undefined }
  }
  return pipe(
    useCases.answerOnce(request, first),
    TE.flatMap(({ answer }): TaskEither<PortFailure, Given> => {
      if (own === undefined) return TE.right({ kept: answer.body })
      if (E.isLeft(own) && own.left._tag === 'PortFailure') return TE.left(own.left)
      return TE.right({ own })
    }),
  )
}

const once = async (client: Client, number: string): Promise<void> => {
  const { keptAnswers, tally } = client.known
  const before = keptAnswers.get(number)
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(processUnderKey(number))
  if (answer === undefined) return
  if (E.isLeft(answer)) {
    const isExpected = before === undefined && answer.left._tag === 'IdempotencyKeyInProgress'
    return expectRefusal(client, isExpected, `processing ${number} under its key`, answer.left)
  }
  const given = answer.right
  const kept = 'kept' in given ? given.kept : undefined
  if (before !== undefined && before !== kept)
    tally.violations.push(`I5: ${number}: its key was answered by ${kept ?? 'another try'} after ${before}`)
  // Its failures of ports are the client's answer already.
  if ('own' in given)
    return hearProcessed(client, number, wasCreated, given.own as Answered<ProcessingRefused, Processed>)
  keptAnswers.set(number, given.kept)
  hearNumber(client, number, numberIn(given.kept))
}

/** Processes under an idempotency key, so many times: what was given as kept once is the answer from then on. */
export const processOnce = async (client: Client, number: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await once(client, number)
}

/** Adds two things of a kind to an account, once or twice at once: then one of the requests adds them. */
export const add = async (
  client: Client,
  number: string,
  kind: AdditionKind,
  isTwice: boolean,
): Promise<void> => {
  const { tally, nextName } = client.known
  const names = kind === 'instruction' ? [nextName()] : [nextName(), nextName()]
  const addition = sentAddition(keyOf(number), kind, names)
  tally.add(addition)
  const wasCreated = isCreated(client, number)
  let added = 0
  const once = async (): Promise<void> => {
    const answer = await client.ask((useCases) => addByUseCases[kind](useCases, addition.key, names))
    if (answer === undefined) return
    if (E.isRight(answer)) {
      added += answer.right.filter(isAdded).length
      return tally.settle(addition)
    }
    const isThere = isTwice && kind === 'statement' && answer.left._tag === 'RequestFailedValidation'
    const isAbsent = !wasCreated && answer.left._tag === 'AccountNotFound'
    const isExpected = isThere || isAbsent || answer.left._tag === 'SupplierNotOngoing'
    expectRefusal(client, isExpected, `adding to ${number}`, answer.left)
  }
  await Promise.all(isTwice ? [once(), once()] : [once()])
  if (added > names.length)
    tally.violations.push(`I5: ${number}: ${kind} was told as added ${added} times, of ${names.length}`)
}

export const look = async (client: Client, number: string): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const wasStaged = client.known.tally.stagingsOf(keyOf(number)) > 0
  const answer = await client.ask(({ transferStatus }) => transferStatus(keyOf(number)))
  if (answer === undefined) return
  if (E.isLeft(answer))
    return expectRefusal(client, !wasCreated && !wasStaged, `asking for ${number}`, answer.left)
  const { status, platformAccountNumber } = answer.right
  if (platformAccountNumber !== undefined) hearNumber(client, number, platformAccountNumber)
  if (wasCreated !== (status === 'COMPLETED') && wasCreated)
    client.known.tally.violations.push(`I2, I4: ${number} is ${status} after it was created`)
}

export const list = async (client: Client): Promise<void> => {
  const { told, violations } = client.known.tally
  const before = [...told.keys()]
  const request = { organisation, importSupplier, list: 'imported' as const, after: undefined, limit: 100 }
  const answer = await client.ask(({ accountImportsPage }) => accountImportsPage(request))
  if (answer === undefined) return
  if (E.isLeft(answer)) return expectRefusal(client, false, 'a list', answer.left)
  const { items } = answer.right
  for (const { externalAccountNumber, platformAccountNumber } of items)
    hearNumber(client, externalAccountNumber, String(platformAccountNumber))
  const listed = new Set(items.map((item) => accountKeyText(keyOf(item.externalAccountNumber))))
  for (const key of before) if (!listed.has(key)) violations.push(`I2: ${key} was created and is not listed`)
}

export const skip = async (client: Client, number: string, skipped: boolean): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const named = { importSupplier, externalAccountNumber: number, skipped }
  const answer = await client.ask(({ operator }) => operator.setSkipped(named))
  if (answer === undefined) return
  if (E.isRight(answer)) {
    if (wasCreated) client.known.tally.violations.push(`I7: ${number} was marked after it was created`)
    return
  }
  const isExpected = answer.left._tag === 'AccountIsImported' || !wasCreated
  expectRefusal(client, isExpected, `marking ${number}`, answer.left)
}

/** Each change adds a domain of its own, so that one that is lost is missed. */
export const configure = async (client: Client): Promise<void> => {
  const { domains, nextName } = client.known
  const domain = `${nextName()}.example`
  domains.set(domain, false)
  const answer = await client.ask(({ operator }) =>
    operator.configureSupplier({
      code: importSupplier,
      change: (settings) => ({
        ...settings,
        internalEmailDomains: [...settings.internalEmailDomains, domain],
      }),
    }),
  )
  if (answer === undefined) return
  if (E.isLeft(answer)) return expectRefusal(client, false, 'a change of settings', answer.left)
  domains.set(domain, true)
}

export const pause = async (client: Client): Promise<void> => {
  for (const status of ['paused', 'ongoing'] as const) {
    const answer = await client.ask(({ operator }) =>
      operator.setSupplierStatus({ code: importSupplier, status }),
    )
    if (answer !== undefined && E.isLeft(answer))
      expectRefusal(client, false, `making it ${status}`, answer.left)
  }
}

/** A token works; the token to refresh it works once, of two uses at once too. */
export const signIn = async (client: Client): Promise<void> => {
  const { apiKey, tally } = client.known
  const address = `client ${client.ordinal}`
  const tokens = await client.ask(({ obtainToken }) => obtainToken({ credentials: { apiKey }, address }))
  if (tokens === undefined) return
  if (E.isLeft(tokens)) return expectRefusal(client, false, 'an API key', tokens.left)
  const { token, refreshToken } = tokens.right
  const claims = await client.ask(({ authenticate }) => authenticate(token))
  if (claims !== undefined && E.isLeft(claims)) expectRefusal(client, false, 'a token', claims.left)
  const refresh = () =>
    client.ask(({ obtainToken }) => obtainToken({ credentials: { refreshToken }, address }))
  const uses = await Promise.all([refresh(), refresh()])
  const granted = uses.filter((use) => use !== undefined && E.isRight(use)).length
  if (granted > 1) tally.violations.push('I5: a refresh token was used twice')
  if (granted === 0 && uses.every((use) => use !== undefined))
    tally.violations.push('I2: a refresh token was refused')
}

export const deliver = async (client: Client): Promise<void> => {
  const claimed = await client.ask(({ emails }) => emails.claimDue(2))
  if (claimed === undefined || E.isLeft(claimed)) return
  for (const email of claimed.right)
    await client.ask(({ emails }) => emails.deliver(email, new AbortController().signal))
}
